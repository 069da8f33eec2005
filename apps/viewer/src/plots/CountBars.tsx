import { formatCount } from '../format/format-number.js';

export interface CountBar {
  name: string;
  count: number;
  /** Failed part of the count. */
  failed?: number;
}

/** Named counts with bars relative to the largest count. */
export function CountBars({ bars, label }: { bars: readonly CountBar[]; label: string }) {
  const largest = Math.max(1, ...bars.map(({ count }) => count));
  const share = (part: number) => (part === 0 ? 0 : `max(2px, ${(part / largest) * 100}%)`);
  return (
    <ul className="stack gap-2 small" aria-label={label}>
      {bars.map(({ name, count, failed = 0 }) => (
        <li key={name} className="stack gap-1">
          <span className="row between nowrap">
            {name}
            <span>
              {formatCount(count)}
              {failed > 0 && <span className="danger"> {formatCount(failed)} failed</span>}
            </span>
          </span>
          <span className="bar" aria-hidden>
            <span style={{ width: share(count - failed) }} />
            {failed > 0 && <span data-tone="bad" style={{ width: share(failed) }} />}
          </span>
        </li>
      ))}
    </ul>
  );
}
