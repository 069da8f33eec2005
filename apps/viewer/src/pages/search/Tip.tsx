import { Link } from '@tanstack/react-router';
import styles from './Tip.module.css';

/** What can be typed, as long as nothing is; and the way to an observation that is named by its id. */
export function Tip({ text }: { text: string }) {
  const id = /^\s*#?(\d{1,15})\s*$/.exec(text)?.[1];
  if (id !== undefined && Number(id) > 0)
    return (
      <p className={styles['tip']}>
        <Link to="/observations/$id" params={{ id: Number(id) }}>
          Open #{Number(id)}
        </Link>
      </p>
    );
  if (text.trim() !== '') return null;
  return (
    <p className={styles['tip']}>
      The newest first. Type words, a part of a path, or an error as it was printed; <code>#12</code> leads to
      an observation.
    </p>
  );
}
