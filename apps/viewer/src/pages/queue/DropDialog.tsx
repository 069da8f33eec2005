import { messageOf } from '@claude-mem/core';
import type { QueueItem } from '@claude-mem/worker-protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { worker } from '../../api/worker.js';
import { Button } from '../../ui/Button.js';
import { Modal } from '../../ui/Modal.js';
import { notices } from '../../ui/notices.js';
import { countByProject, formatMessageCount, titleOf } from './format-queue.js';

/** The messages to drop. */
export type MessagesToDrop =
  { kind: 'parked'; count: number } | { kind: 'items'; items: readonly QueueItem[] };

/** Shows what is lost, and drops the messages after confirmation. */
export function DropDialog({
  toDrop,
  onClose,
  onDropped,
}: {
  toDrop: MessagesToDrop;
  onClose: () => void;
  onDropped: (ids: readonly number[]) => void;
}) {
  const client = useQueryClient();
  const ids = toDrop.kind === 'items' ? toDrop.items.map(({ id }) => id) : [];
  const drop = useMutation({
    mutationFn: async () => {
      if (toDrop.kind === 'parked')
        return (await worker.dropMessages({ body: { status: 'parked' } })).changed;
      let changed = 0;
      for (let from = 0; from < ids.length; from += MAX_PER_REQUEST)
        changed += (await worker.dropMessages({ body: { ids: ids.slice(from, from + MAX_PER_REQUEST) } }))
          .changed;
      return changed;
    },
    async onSuccess(changed) {
      // the list must be updated before the focus returns to it
      await client.invalidateQueries({ queryKey: ['listQueue'] });
      notices.add({ title: `${formatMessageCount(changed)} dropped` });
      onClose();
      onDropped(ids);
    },
    onError: () => client.invalidateQueries({ queryKey: ['listQueue'] }),
  });
  const count = toDrop.kind === 'parked' ? toDrop.count : toDrop.items.length;
  return (
    <Modal title={`Drop ${formatMessageCount(count)}`} onClose={onClose}>
      <div className="stack gap-3">
        <p>
          The observer will not process {count === 1 ? 'this message' : 'these messages'}, so no records are
          created from {count === 1 ? 'it' : 'them'}. This cannot be undone. Files, sessions and existing
          records are not affected.
        </p>
        {toDrop.kind === 'items' && <MessageList items={toDrop.items} />}
        {drop.error !== null && <p role="alert">{messageOf(drop.error)}</p>}
      </div>
      <div className="row right">
        <Button onClick={onClose}>Keep</Button>
        <Button variant="danger" disabled={drop.isPending} onClick={() => drop.mutate()}>
          Drop {count === 1 ? 'it' : 'them'}
        </Button>
      </div>
    </Modal>
  );
}

function MessageList({ items }: { items: readonly QueueItem[] }) {
  const [first] = items;
  if (items.length === 1 && first !== undefined)
    return (
      <p>
        <strong>{titleOf(first)}</strong> {first.subject !== null && <code>{first.subject}</code>}{' '}
        {first.project !== '' && `in ${first.project}`}
      </p>
    );
  return (
    <ul className="scroll" aria-label="By project">
      {countByProject(items).map(([project, count]) => (
        <li key={project}>
          {project === '' ? 'Deleted sessions' : project}: {formatMessageCount(count)}
        </li>
      ))}
    </ul>
  );
}

const MAX_PER_REQUEST = 10_000;
