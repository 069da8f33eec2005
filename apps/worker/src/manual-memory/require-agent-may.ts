import { isReservedForPerson, type Store } from '@claude-mem/core';
import type { RememberRequest } from '@claude-mem/worker-protocol';
import { WorkerError } from '../worker-error.js';

/**
 * @throws WorkerError when an agent wants to pin a record, or to supersede a record that only the user may supersede
 */
export async function requireAgentMaySave(
  { pinned, supersedes = [] }: RememberRequest,
  store: Pick<Store, 'observationsByIds'>,
): Promise<void> {
  if (pinned) throw new WorkerError('worker/forbidden', 'An agent cannot pin a record.');
  await requireOpen(supersedes, store, (id) => `can supersede it: claude-mem supersede ${id} --by ID`);
}

/** @throws WorkerError when an agent wants to delete a record that is reserved for a person, or that supersedes one */
export async function requireAgentMayDelete(
  ids: readonly number[],
  store: Pick<Store, 'observationsByIds' | 'supersededBy'>,
): Promise<void> {
  await requireOpen(ids, store, (id) => `can delete it, and nothing was deleted: claude-mem forget ${id}`);
  for (const id of ids) {
    const superseded = await store.supersededBy(id);
    await requireOpen(
      superseded,
      store,
      () => `can delete #${id}, which supersedes it, and nothing was deleted: claude-mem forget ${id}`,
    );
  }
}

async function requireOpen(
  ids: readonly number[],
  { observationsByIds }: Pick<Store, 'observationsByIds'>,
  personCan: (id: number) => string,
): Promise<void> {
  const reserved = (await observationsByIds(ids)).find(isReservedForPerson);
  if (reserved === undefined) return;
  const { id, pinned } = reserved;
  const reason = `#${id} is ${pinned ? 'pinned' : 'saved manually'}`;
  throw new WorkerError('worker/forbidden', `${reason}, so only a person ${personCan(id)}`);
}
