import { Link } from '@tanstack/react-router';
import styles from './Files.module.css';

/** A path as a link to its history; its last part stands out, and a long one is cut in the middle of its folders. */
export function FileLink({ path, project }: { path: string; project?: string | undefined }) {
  const cut = path.lastIndexOf('/', path.length - 2) + 1;
  return (
    <Link
      to="/files"
      search={{ path, ...(project === undefined ? {} : { project }) }}
      className={styles['path']}
      title={path}
    >
      <span className={styles['folder']}>{path.slice(0, cut)}</span>
      <span className={styles['name']}>{path.slice(cut)}</span>
    </Link>
  );
}
