import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type ReactNode } from 'react';
import styles from './VirtualList.module.css';
import { scrollerOfPage, useListTop } from './use-list-top.js';

/** So many rows before the end more is asked for. */
const AHEAD_ROWS = 30;

/**
 * A list of which only what is in sight is in the page. Its rows are as high as what is in them.
 * @param rowHeight about, in pixels
 * @param hasMore items are read page by page, and there are more
 * @param onNearEnd called after every drawing as long as there is more and the end is near
 */
export function VirtualList<Item>({
  label,
  items,
  keyOf,
  rowHeight,
  hasMore,
  onNearEnd,
  children,
}: {
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => number;
  rowHeight: number;
  hasMore: boolean;
  onNearEnd: () => void;
  children: (item: Item) => ReactNode;
}) {
  const list = useRef<HTMLUListElement>(null);
  const top = useListTop(list);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: scrollerOfPage,
    estimateSize: () => rowHeight,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
    overscan: 10,
    scrollMargin: top,
  });
  const inSight = rows.getVirtualItems();
  const isNearEnd = hasMore && (inSight.at(-1)?.index ?? 0) >= items.length - AHEAD_ROWS;
  useEffect(() => {
    if (isNearEnd) onNearEnd();
  });
  return (
    <ul
      ref={list}
      className={`panel ${styles['list']}`}
      style={{ height: rows.getTotalSize() }}
      aria-label={label}
    >
      {inSight.map(({ index, key, start }) => {
        const item = items[index];
        return (
          item !== undefined && (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              style={{ transform: `translateY(${start - top}px)` }}
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : items.length}
            >
              {children(item)}
            </li>
          )
        );
      })}
    </ul>
  );
}
