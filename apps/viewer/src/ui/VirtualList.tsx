import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type ReactNode } from 'react';
import styles from './VirtualList.module.css';
import { scrollerOfPage, useListTop } from './use-list-top.js';

/** Rows before the end at which the next page is requested. */
const AHEAD_ROWS = 30;

/**
 * A list that renders only the visible rows. Rows may differ in height.
 * @param rowHeight estimate in pixels
 * @param hasMore the list has further pages
 * @param onNearEnd called after each rendering while the list has further pages and the end is near
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
  const visible = rows.getVirtualItems();
  const isNearEnd = hasMore && (visible.at(-1)?.index ?? 0) >= items.length - AHEAD_ROWS;
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
      {visible.map(({ index, key, start }) => {
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
