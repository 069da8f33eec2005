import { messageOf } from '@claude-mem/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/Button.js';
import { scrollerOfPage, useListTop } from '../../ui/use-list-top.js';
import type { LogWindow } from './log-window.js';
import { LogRow } from './LogRow.js';
import styles from './LogList.module.css';

/** The lines in sight; `onOlder` is called when the end comes into sight. */
export function LogList({
  log: { items, olderCursor, date },
  isReading,
  problem,
  onOlder,
}: {
  log: LogWindow;
  isReading: boolean;
  problem: unknown;
  onOlder: () => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  const top = useListTop(list);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: scrollerOfPage,
    estimateSize: () => 33,
    getItemKey: (index) => items[index]?.offset ?? index,
    overscan: 12,
    scrollMargin: top,
  });
  const inSight = rows.getVirtualItems();
  const lastInSight = inSight.at(-1)?.index ?? 0;
  const isNearEnd = olderCursor !== null && problem === null && lastInSight >= items.length - 30;
  useEffect(() => {
    if (isNearEnd && !isReading) onOlder();
  });
  const toggle = (offset: number) =>
    setOpened((all) => {
      const next = new Set(all);
      if (!next.delete(offset)) next.add(offset);
      return next;
    });

  return (
    <>
      <ul
        ref={list}
        className={styles['list']}
        style={{ height: rows.getTotalSize() }}
        aria-label={`Lines of ${date}, newest first`}
      >
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
                aria-setsize={olderCursor === null ? items.length : -1}
              >
                <LogRow item={item} isOpen={opened.has(item.offset)} onToggle={() => toggle(item.offset)} />
              </li>
            )
          );
        })}
      </ul>
      <div className={styles['end']}>
        {problem !== null ? (
          <>
            <span role="alert">Older lines could not be read: {messageOf(problem)}</span>
            <Button onClick={onOlder}>Try again</Button>
          </>
        ) : olderCursor === null ? (
          'This is where the day begins'
        ) : (
          <span role="status">Looking through older lines</span>
        )}
      </div>
    </>
  );
}
