import styles from './Loading.module.css';

/** A loading indicator. Appears after a short delay, so that fast pages do not flicker. */
export function Loading() {
  return (
    <div className={`stack gap-3 pad ${styles['loading']}`} role="status">
      <span className="visually-hidden">Loading</span>
      {['100%', '80%', '60%'].map((width) => (
        <span key={width} className={styles['line']} style={{ width }} />
      ))}
    </div>
  );
}
