import type { SessionRow } from '@claude-mem/worker-protocol';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { counted } from '../../format/counted.js';
import { scrollerOfPage, useListTop } from '../../ui/use-list-top.js';
import { SessionEntry } from './SessionEntry.js';
import styles from './Sessions.module.css';

/** Only the sessions in sight are in the page; `onMore` is called when the end comes near. */
export function SessionList({
  rows,
  hasMore,
  onMore,
}: {
  rows: readonly SessionRow[];
  hasMore: boolean;
  onMore: () => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  const top = useListTop(list);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: scrollerOfPage,
    estimateSize: () => 68,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 8,
    scrollMargin: top,
  });
  const inSight = virtual.getVirtualItems();
  const isNearEnd = hasMore && (inSight.at(-1)?.index ?? 0) >= rows.length - 20;
  useEffect(() => {
    if (isNearEnd) onMore();
  });
  return (
    <ul
      ref={list}
      className={styles['list']}
      style={{ height: virtual.getTotalSize() }}
      aria-label="Sessions"
    >
      {inSight.map(({ index, key, start }) => {
        const row = rows[index];
        return (
          row && (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              style={{ transform: `translateY(${start - top}px)` }}
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : rows.length}
            >
              <SessionEntry session={row} project={row.project} prompts={row.prompts}>
                <span>{counted(row.observations, 'observation')}</span>
                {row.waiting > 0 && <span className={styles['waiting']}>{row.waiting} waiting</span>}
              </SessionEntry>
            </li>
          )
        );
      })}
    </ul>
  );
}
