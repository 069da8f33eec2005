import { Link } from '@tanstack/react-router';
import { lastPart } from '../../format/last-part.js';

/** A path as a link to its history. The last part is emphasized. The folders of a long path are cut in the middle. */
export function FileLink({ path, project }: { path: string; project?: string | undefined }) {
  const name = lastPart(path);
  return (
    <Link
      to="/files"
      search={{ path, ...(project === undefined ? {} : { project }) }}
      className="small"
      title={path}
    >
      <code>
        <span className="muted">{path.slice(0, path.length - name.length)}</span>
        <strong>{name}</strong>
      </code>
    </Link>
  );
}
