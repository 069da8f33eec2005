import type { FeedItem } from '@claude-mem/worker-protocol';
import { memo } from 'react';
import { formatDay, formatMoment, formatTime } from '../../format/format-time.js';
import { RecordCard } from '../../records/RecordCard.js';
import styles from './FeedList.module.css';

/** One row of the feed. Shows a placeholder while the entry is loading. */
export const FeedRow = memo(function FeedRow({
  index,
  entry,
  isFirstOfDay,
  isNew,
  isShown,
  total,
  top,
  height,
}: {
  index: number;
  entry: FeedItem | null;
  isFirstOfDay: boolean;
  isNew: boolean;
  /** Whether the record is shown beside the list in a wide window. */
  isShown: boolean;
  total: number;
  top: number;
  height: number;
}) {
  const epoch = entry?.item.createdAtEpoch;
  return (
    <li
      className={styles['row']}
      data-index={index}
      data-new={isNew || undefined}
      data-shown={isShown || undefined}
      aria-posinset={index + 1}
      aria-setsize={total}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <span className={`muted tiny ${styles['gutter']}`}>
        {epoch !== undefined && (
          <time dateTime={new Date(epoch).toISOString()} title={formatMoment(epoch)}>
            {isFirstOfDay && index > 0 && (
              <span className={`strong ${styles['day']}`}>{formatDay(epoch)}</span>
            )}
            {formatTime(epoch)}
          </time>
        )}
      </span>
      {entry === null ? (
        <span className={`panel ${styles['placeholder']}`}>
          <span className="visually-hidden">Loading</span>
        </span>
      ) : (
        <RecordCard entry={entry} isNew={isNew} hasDay={isFirstOfDay && index > 0} isFixed />
      )}
    </li>
  );
});
