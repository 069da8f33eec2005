import type { PendingMessage } from '@claude-mem/core';

/** State of sessions between two batches, in memory only. A new process rebuilds it with a few additional calls. */
export interface SessionHistory {
  /** Returns the maximum number of messages for the next claim: half of the smallest batch that failed. */
  countLimit(sessionId: number): number;
  /** Records that a batch of several messages failed and contains the poison message. */
  setSuspects(sessionId: number, ids: readonly number[]): void;
  /** Ends the search for a poison message when no suspect was claimed. */
  updateSuspects(sessionId: number, claimed: readonly PendingMessage[]): void;
  /** Removes the failures of the session, except suspects that are not in `done`. */
  recordSuccess(sessionId: number, done: readonly number[]): void;
  /** Ends the search after the poison message was found. */
  clearSuspects(sessionId: number): void;
  /** Records that a batch was returned without a result or a reason. Returns the number of such returns in a row. */
  recordReturn(sessionId: number): number;
  /** Records that a batch was processed or parked. */
  recordSettled(sessionId: number, batch: { promptNumber: number; isTurnOver: boolean }): void;
  recordFlush(sessionId: number, at: number): void;
  getTurn(sessionId: number, promptNumber: number): TurnHistory;
}

/** State of a turn that affects its flush time. */
export interface TurnHistory {
  /** The part of the turn that was already processed or parked: nothing, a part without its end, or its end. */
  progress: 'none' | 'begun' | 'ended';
  /** Time of the last requested flush of the session, in epoch milliseconds. */
  flushedAt: number;
}

const MAX_SESSIONS = 1_000;

export function createSessionHistory(): SessionHistory {
  const suspects = new Map<number, readonly number[]>();
  const returns = new Map<number, number>();
  const batches = new Map<number, { promptNumber: number; isTurnOver: boolean }>();
  const flushes = new Map<number, number>();
  return {
    countLimit(sessionId) {
      const ids = suspects.get(sessionId);
      return ids ? Math.ceil(ids.length / 2) : Infinity;
    },
    setSuspects(sessionId, ids) {
      suspects.set(sessionId, ids);
    },
    updateSuspects(sessionId, claimed) {
      const ids = suspects.get(sessionId);
      if (ids && !claimed.some(({ id }) => ids.includes(id))) suspects.delete(sessionId);
    },
    recordSuccess(sessionId, done) {
      returns.delete(sessionId);
      const remaining = suspects.get(sessionId)?.filter((id) => !done.includes(id)) ?? [];
      if (remaining.length > 0) suspects.set(sessionId, remaining);
      else suspects.delete(sessionId);
    },
    clearSuspects(sessionId) {
      suspects.delete(sessionId);
    },
    recordReturn(sessionId) {
      const count = (returns.get(sessionId) ?? 0) + 1;
      returns.set(sessionId, count);
      return count;
    },
    recordSettled(sessionId, batch) {
      setNewest(batches, sessionId, batch);
    },
    recordFlush(sessionId, at) {
      setNewest(flushes, sessionId, at);
    },
    getTurn(sessionId, promptNumber) {
      const last = batches.get(sessionId);
      const progress = last?.promptNumber !== promptNumber ? 'none' : last.isTurnOver ? 'ended' : 'begun';
      return { progress, flushedAt: flushes.get(sessionId) ?? -Infinity };
    },
  };
}

function setNewest<Value>(map: Map<number, Value>, key: number, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_SESSIONS && oldest !== undefined) map.delete(oldest);
}
