import type { PendingMessage } from '@claude-mem/core';

/**
 * What the queue remembers of sessions between two batches. All of it may be lost: a new process finds the same
 * again at the cost of a few more calls.
 */
export interface SessionNotes {
  /** Most messages to claim next: half of the smallest batch that failed as a whole. */
  countLimit(sessionId: number): number;
  /** A batch of several failed: one of them is the culprit. */
  suspect(sessionId: number, ids: readonly number[]): void;
  /** Leaves the search for a culprit when none of the suspects is among what was claimed. */
  narrow(sessionId: number, claimed: readonly PendingMessage[]): void;
  /** Forgets all trouble of the session, except suspects that are not among `done`. */
  succeeded(sessionId: number, done: readonly number[]): void;
  /** The culprit was found. */
  cleared(sessionId: number): void;
  /** One more batch came back without a result or a reason. Returns how many in a row. */
  returned(sessionId: number): number;
  ended(sessionId: number, promptNumber: number): void;
  hasEnded(sessionId: number, promptNumber: number): boolean;
}

const ENDED_KEPT = 1_000;

export function createSessionNotes(): SessionNotes {
  const suspects = new Map<number, readonly number[]>();
  const returns = new Map<number, number>();
  const endedTurns = new Map<number, number>();
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
    ended(sessionId, promptNumber) {
      endedTurns.delete(sessionId);
      endedTurns.set(sessionId, promptNumber);
      const [oldest] = endedTurns.keys();
      if (endedTurns.size > ENDED_KEPT && oldest !== undefined) endedTurns.delete(oldest);
    },
    hasEnded: (sessionId, promptNumber) => endedTurns.get(sessionId) === promptNumber,
  };
}
