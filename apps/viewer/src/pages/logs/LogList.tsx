import { messageOf } from '@claude-mem/core';
import { useState } from 'react';
import { Button } from '../../ui/Button.js';
import { VirtualList } from '../../ui/VirtualList.js';
import type { LogWindow } from './log-window.js';
import { LogRow } from './LogRow.js';

/** The log lines. `onOlder` is called when the end of the list is near. */
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
  const [expanded, setExpanded] = useState<ReadonlySet<number>>(new Set());
  const toggle = (offset: number) =>
    setExpanded((all) => {
      const next = new Set(all);
      if (!next.delete(offset)) next.add(offset);
      return next;
    });

  return (
    <>
      <VirtualList
        label={`Lines of ${date}, newest first`}
        items={items}
        keyOf={({ offset }) => offset}
        rowHeight={33}
        hasMore={olderCursor !== null}
        onNearEnd={() => {
          if (problem === null && !isReading) onOlder();
        }}
      >
        {(item) => (
          <LogRow item={item} isOpen={expanded.has(item.offset)} onToggle={() => toggle(item.offset)} />
        )}
      </VirtualList>
      <div className="row centered muted small pad">
        {problem !== null ? (
          <>
            <span role="alert">Loading older lines failed: {messageOf(problem)}</span>
            <Button onClick={onOlder}>Try again</Button>
          </>
        ) : olderCursor === null ? (
          'No older lines on this day'
        ) : (
          <span role="status">Searching older lines</span>
        )}
      </div>
    </>
  );
}
