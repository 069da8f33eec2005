import { Link } from '@tanstack/react-router';
import { lastPart } from '../../format/last-part.js';
import styles from './Files.module.css';

/** A path as a link to its history; its last part stands out, and a long one is cut in the middle of its folders. */
export function FileLink({ path, project }: { path: string; project?: string | undefined }) {
  const name = lastPart(path);
  return (
    <Link
      to="/files"
      search={{ path, ...(project === undefined ? {} : { project }) }}
      className={styles['path']}
      title={path}
    >
      <span className={styles['folder']}>{path.slice(0, path.length - name.length)}</span>
      <span className={styles['name']}>{name}</span>
    </Link>
  );
}
