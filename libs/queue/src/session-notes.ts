import type { PendingMessage } from '@claude-mem/core';

/**
 * What the queue remembers of sessions between two batches. All of it may be lost: a new process finds the same
 * again at the cost of a few more calls.
 */
export interface SessionNotes {
  /** Most messages to claim next: half of the smallest batch that failed as a whole. */
  countLimit(sessionId: number): number;
  /** A batch of several failed: one of them is the poison message. */
  suspect(sessionId: number, ids: readonly number[]): void;
  /** Ends the search for a poison message when none of the suspects is among what was claimed. */
  narrow(sessionId: number, claimed: readonly PendingMessage[]): void;
  /** Forgets all trouble of the session, except suspects that are not among `done`. */
  succeeded(sessionId: number, done: readonly number[]): void;
  /** Ends the search after the poison message was found. */
  cleared(sessionId: number): void;
  /** One more batch came back without a result or a reason. Returns how many in a row. */
  returned(sessionId: number): number;
  /** A batch was processed or parked. `isTurnOver`: with the end of its turn. */
  settled(sessionId: number, batch: { promptNumber: number; isTurnOver: boolean }): void;
  flushed(sessionId: number, at: number): void;
  of(sessionId: number, promptNumber: number): TurnNotes;
}

/** What decides, besides what waits of a turn, when that is due. */
export interface TurnNotes {
  /** Which part of it was processed or parked before: nothing, a part without its end, or its end. */
  progress: 'none' | 'begun' | 'ended';
  /** When what waits of its session was last asked for. */
  flushedAt: number;
}

const MOST_KEPT = 1_000;

export function createSessionNotes(): SessionNotes {
  const suspects = new Map<number, readonly number[]>();
  const returns = new Map<number, number>();
  const batches = new Map<number, { promptNumber: number; isTurnOver: boolean }>();
  const flushes = new Map<number, number>();
  return {
    countLimit(sessionId) {
      const ids = suspects.get(sessionId);
      return ids ? Math.ceil(ids.length / 2) : Infinity;
    },
    suspect(sessionId, ids) {
      suspects.set(sessionId, ids);
    },
    narrow(sessionId, claimed) {
      const ids = suspects.get(sessionId);
      if (ids && !claimed.some(({ id }) => ids.includes(id))) suspects.delete(sessionId);
    },
    succeeded(sessionId, done) {
      returns.delete(sessionId);
      const left = suspects.get(sessionId)?.filter((id) => !done.includes(id)) ?? [];
      if (left.length > 0) suspects.set(sessionId, left);
      else suspects.delete(sessionId);
    },
    cleared(sessionId) {
      suspects.delete(sessionId);
    },
    returned(sessionId) {
      const count = (returns.get(sessionId) ?? 0) + 1;
      returns.set(sessionId, count);
      return count;
    },
    settled(sessionId, batch) {
      keepNewest(batches, sessionId, batch);
    },
    flushed(sessionId, at) {
      keepNewest(flushes, sessionId, at);
    },
    of(sessionId, promptNumber) {
      const last = batches.get(sessionId);
      const progress = last?.promptNumber !== promptNumber ? 'none' : last.isTurnOver ? 'ended' : 'begun';
      return { progress, flushedAt: flushes.get(sessionId) ?? -Infinity };
    },
  };
}

function keepNewest<Value>(map: Map<number, Value>, key: number, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MOST_KEPT && oldest !== undefined) map.delete(oldest);
}
