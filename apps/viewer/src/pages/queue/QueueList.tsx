import type { QueueItem } from '@claude-mem/worker-protocol';
import { VirtualList } from '../../ui/VirtualList.js';
import { QueueRow } from './QueueRow.js';

/** The messages of the queue. `onMore` is called when the end of the list is near. */
export function QueueList({
  items,
  selected,
  shownReason,
  onSelect,
  onRetry,
  onDrop,
  hasMore,
  onMore,
}: {
  items: readonly QueueItem[];
  selected: ReadonlySet<number>;
  /** A reason that the page already shows, so that rows omit it. */
  shownReason: string | null;
  onSelect: (ids: readonly number[], isSelected: boolean) => void;
  onRetry: (item: QueueItem, button: Element) => void;
  onDrop: (item: QueueItem, button: Element) => void;
  hasMore: boolean;
  onMore: () => void;
}) {
  const selectable = items.filter(({ status }) => status !== 'processing');
  const isAllSelected = selectable.length > 0 && selectable.every(({ id }) => selected.has(id));
  return (
    <>
      <label className="check muted small">
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
      <VirtualList
        label="Messages"
        items={items}
        keyOf={({ id }) => id}
        rowHeight={76}
        hasMore={hasMore}
        onNearEnd={onMore}
      >
        {(item) => (
          <QueueRow
            item={item}
            shownReason={shownReason}
            isSelected={selected.has(item.id)}
            onSelect={(isSelected) => onSelect([item.id], isSelected)}
            onRetry={(button) => onRetry(item, button)}
            onDrop={(button) => onDrop(item, button)}
          />
        )}
      </VirtualList>
    </>
  );
}
