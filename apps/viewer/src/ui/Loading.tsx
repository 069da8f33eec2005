import styles from './Loading.module.css';

/** Shown only when an answer takes longer than a moment, so that fast pages do not flicker. */
export function Loading() {
  return (
    <div className={styles['loading']} role="status">
      <span className="visually-hidden">Loading</span>
      <span className={styles['bar']} />
      <span className={styles['bar']} />
      <span className={styles['bar']} />
    </div>
  );
}
