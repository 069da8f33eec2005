import { setImmediate } from 'node:timers/promises';
import type { Clock, ForgetResult, Store } from '@claude-mem/core';

type Records = Pick<ForgetResult, 'observationIds' | 'sessionIds'>;

/** Records that are forgotten in one transaction: some hundredths of a second. */
const PART = 250;

/**
 * Forgets what was planned, and gives what of it is gone: much of it in several transactions, between which others get their
 * turn. First the newest sessions, which may still be observed. Whatever ends it between two parts, each session is either empty
 * or lacks some of its observations. What can be undone can be so in one.
 */
export async function* forgetInParts(
  planned: Records,
  { store, undoSeconds, clock }: { store: Pick<Store, 'forget'>; undoSeconds: number; clock: Clock },
): AsyncGenerator<ForgetResult & { finalAtEpoch: number }> {
  let forgetId: number | null = null;
  for await (const { observationIds, sessionIds } of partsOf(planned, store)) {
    const now = clock.now();
    const finalAtEpoch = now + undoSeconds * 1_000;
    const undo = { undoUntil: finalAtEpoch, ...(forgetId !== null && { addTo: forgetId }) };
    const wanted = { ids: observationIds, sessionIds, now, ...(undoSeconds > 0 && undo) };
    const result: ForgetResult = await store.forget(wanted);
    forgetId = result.forgetId;
    yield { ...result, finalAtEpoch };
    await setImmediate();
  }
}

async function* partsOf({ observationIds, sessionIds }: Records, store: Pick<Store, 'forget'>) {
  let part = { observationIds: [] as number[], sessionIds: [] as number[] };
  let size = 0;
  const taken = (): Records => {
    const full = part;
    part = { observationIds: [], sessionIds: [] };
    size = 0;
    return full;
  };
  const left = new Set(observationIds);
  for (const id of sessionIds.toSorted((one, other) => other - one)) {
    const own = await store.forget({ sessionIds: [id], dryRun: true, now: 0 });
    const weight = 1 + own.observations + own.summaries + own.prompts;
    if (size > 0 && size + weight > PART) yield taken();
    if (weight > PART)
      for (let start = 0; start < own.observations; start += PART)
        yield { observationIds: own.observationIds.slice(start, start + PART), sessionIds: [] };
    part.sessionIds.push(id);
    size += weight;
    for (const known of own.observationIds) left.delete(known);
  }
  for (const id of left) {
    if (size >= PART) yield taken();
    part.observationIds.push(id);
    size += 1;
  }
  if (size > 0) yield taken();
}
