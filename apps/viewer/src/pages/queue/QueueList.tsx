import type { QueueItem } from '@claude-mem/worker-protocol';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { scrollerOfPage, useListTop } from '../../ui/use-list-top.js';
import { QueueRow } from './QueueRow.js';
import styles from './QueueList.module.css';

/** Only the rows in sight are in the page; `onMore` is called when the end comes into sight. */
export function QueueList({
  items,
  selected,
  saidAbove,
  onSelect,
  onRetry,
  onDrop,
  hasMore,
  onMore,
}: {
  items: readonly QueueItem[];
  selected: ReadonlySet<number>;
  /** A reason that need not be said of each message. */
  saidAbove: string | null;
  onSelect: (ids: readonly number[], isSelected: boolean) => void;
  onRetry: (item: QueueItem) => void;
  onDrop: (item: QueueItem) => void;
  hasMore: boolean;
  onMore: () => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  const top = useListTop(list);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: scrollerOfPage,
    estimateSize: () => 76,
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 8,
    scrollMargin: top,
  });
  const inSight = rows.getVirtualItems();
  const lastInSight = inSight.at(-1)?.index ?? 0;
  const isNearEnd = hasMore && lastInSight >= items.length - 20;
  useEffect(() => {
    if (isNearEnd) onMore();
  });

  const selectable = items.filter(({ status }) => status !== 'processing');
  const isAllSelected = selectable.length > 0 && selectable.every(({ id }) => selected.has(id));
  return (
    <>
      <label className={styles['all']}>
        <input
          type="checkbox"
          checked={isAllSelected}
          disabled={selectable.length === 0}
          onChange={(event) =>
            onSelect(
              selectable.map(({ id }) => id),
              event.target.checked,
            )
          }
        />
        Select all {hasMore ? 'loaded' : 'shown'}
      </label>
      <ul ref={list} className={styles['list']} style={{ height: rows.getTotalSize() }} aria-label="Messages">
        {inSight.map(({ index, key, start }) => {
          const item = items[index];
          return (
            item && (
              <li
                key={key}
                ref={rows.measureElement}
                data-index={index}
                className={styles['item']}
                style={{ transform: `translateY(${start - top}px)` }}
                aria-posinset={index + 1}
                aria-setsize={hasMore ? -1 : items.length}
              >
                <QueueRow
                  item={item}
                  saidAbove={saidAbove}
                  isSelected={selected.has(item.id)}
                  onSelect={(isSelected) => onSelect([item.id], isSelected)}
                  onRetry={() => onRetry(item)}
                  onDrop={() => onDrop(item)}
                />
              </li>
            )
          );
        })}
      </ul>
    </>
  );
}
