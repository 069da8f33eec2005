import type { SessionRow } from '@claude-mem/worker-protocol';
import { counted } from '../../format/counted.js';
import { VirtualList } from '../../ui/VirtualList.js';
import { SessionEntry } from './SessionEntry.js';

/** `onMore` is called when the end comes near. */
export function SessionList({
  rows,
  hasMore,
  onMore,
}: {
  rows: readonly SessionRow[];
  hasMore: boolean;
  onMore: () => void;
}) {
  return (
    <VirtualList
      label="Sessions"
      items={rows}
      keyOf={({ id }) => id}
      rowHeight={68}
      hasMore={hasMore}
      onNearEnd={onMore}
    >
      {(row) => (
        <div className="pad">
          <SessionEntry session={row} project={row.project} prompts={row.prompts}>
            <span>{counted(row.observations, 'observation')}</span>
            {row.waiting > 0 && (
              <span className="tone" data-tone="warning">
                {row.waiting} waiting
              </span>
            )}
          </SessionEntry>
        </div>
      )}
    </VirtualList>
  );
}
