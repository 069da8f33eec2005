import { setImmediate } from 'node:timers/promises';
import type { Clock, ForgetResult, Store } from '@claude-mem/core';

type Parts = Pick<Store, 'forget' | 'sessionCounts'>;
type Records = Pick<ForgetResult, 'observationIds' | 'sessionIds'>;

/** Number of records that are deleted in one transaction of a few hundredths of a second. */
const PART = 500;
/** Number of sessions whose records are counted at a time. */
const COUNTED = 100;

/**
 * Deletes the selected records in several transactions and yields to the event loop between them. Returns what was
 * deleted. The newest sessions are first, because they may still be observed. After an interruption, each session is
 * either empty or lacks some observations. One undo restores everything.
 */
export async function* forgetInParts(
  planned: Records,
  { store, undoSeconds, clock }: { store: Parts; undoSeconds: number; clock: Clock },
): AsyncGenerator<ForgetResult & { finalAtEpoch: number }> {
  let forgetId: number | null = null;
  const left = new Set(planned.observationIds);
  for await (const { observationIds, sessionIds } of partsOf(planned.sessionIds, left, store)) {
    const now = clock.now();
    const finalAtEpoch = now + undoSeconds * 1_000;
    const undo = { undoUntil: finalAtEpoch, ...(forgetId !== null && { addTo: forgetId }) };
    const wanted = { ids: observationIds, sessionIds, now, ...(undoSeconds > 0 && undo) };
    const result: ForgetResult = await store.forget(wanted);
    forgetId = result.forgetId ?? forgetId;
    for (const id of result.observationIds) left.delete(id);
    yield { ...result, finalAtEpoch };
    await setImmediate();
  }
}

/** @param left observations that are not deleted yet */
async function* partsOf(sessionIds: readonly number[], left: ReadonlySet<number>, store: Parts) {
  let part: number[] = [];
  let size = 0;
  const newestFirst = sessionIds.toSorted((one, other) => other - one);
  for (const group of inGroups(newestFirst, COUNTED))
    for (const { sessionId, observations, summaries, prompts } of await store.sessionCounts(group)) {
      const weight = 1 + observations + summaries + prompts;
      if (part.length > 0 && size + weight > PART) {
        yield { observationIds: [], sessionIds: part };
        part = [];
        size = 0;
      }
      if (observations > PART) {
        const own = await store.forget({ sessionIds: [sessionId], dryRun: true, now: 0 });
        for (const ids of inGroups(own.observationIds, PART)) yield { observationIds: ids, sessionIds: [] };
      }
      part.push(sessionId);
      size += weight;
    }
  if (left.size > PART && part.length > 0) {
    yield { observationIds: [], sessionIds: part };
    part = [];
  }
  for (const observationIds of inGroups([...left], PART)) {
    yield { observationIds, sessionIds: part };
    part = [];
  }
  if (part.length > 0) yield { observationIds: [], sessionIds: part };
}

function* inGroups<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
