import { formatCount } from '../format/format-number.js';
import styles from './CountBars.module.css';

export interface CountBar {
  name: string;
  count: number;
  /** Of the count; drawn as a part of the bar, and said. */
  failed?: number;
}

/** Counts of a few named things, the bars against the largest of them. */
export function CountBars({ bars, label }: { bars: readonly CountBar[]; label: string }) {
  const largest = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <ul className={styles['bars']} aria-label={label}>
      {bars.map(({ name, count, failed = 0 }) => (
        <li key={name}>
          <span className={styles['name']}>{name}</span>
          <span className={styles['count']}>
            {formatCount(count)}
            {failed > 0 && <span className={styles['failed']}> {formatCount(failed)} failed</span>}
          </span>
          <span className={styles['bar']} aria-hidden>
            <span style={{ width: `${((count - failed) / largest) * 100}%` }} />
            {failed > 0 && <span data-failed style={{ width: `${(failed / largest) * 100}%` }} />}
          </span>
        </li>
      ))}
    </ul>
  );
}
