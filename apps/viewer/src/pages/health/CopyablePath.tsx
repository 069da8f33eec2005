import { CopyButton } from '../../ui/CopyButton.js';

/** A path or a URL, with a button that copies it. */
export function CopyablePath({ path, label = path }: { path: string; label?: string }) {
  return (
    <span className="copyable tiny">
      <code>{path}</code>
      <CopyButton text={path} label={label} />
    </span>
  );
}
