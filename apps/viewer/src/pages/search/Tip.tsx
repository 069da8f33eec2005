import { Link } from '@tanstack/react-router';

/** What can be typed, as long as nothing is; and the way to an observation that is named by its id. */
export function Tip({ text }: { text: string }) {
  const id = /^\s*#?(\d{1,15})\s*$/.exec(text)?.[1];
  if (id !== undefined && Number(id) > 0)
    return (
      <p className="muted small">
        <Link to="/observations/$id" params={{ id: Number(id) }}>
          Open #{Number(id)}
        </Link>
      </p>
    );
  if (text.trim() !== '') return null;
  return (
    <p className="muted small">
      Newest first. Type words, a part of a path, or an error message. <code>#12</code> opens an observation.
    </p>
  );
}
