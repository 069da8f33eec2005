import { setImmediate } from 'node:timers/promises';
import type { Clock, Store, UndoneForget } from '@claude-mem/core';
import { isStorageUnavailable } from '@claude-mem/capture';
import type { Observer } from '@claude-mem/observer';
import type { Searching } from '../search/create-searching.js';
import type { ChangeFeed } from '../stream/create-change-feed.js';

/** Restores deleted records. */
export interface Undoing {
  /**
   * Restores in parts and yields to the event loop between them. Null when the deletion is final or was undone
   * before. After an interruption, the same call or the next worker continues.
   */
  undo(id: number): Promise<Omit<UndoneForget, 'isComplete'> | null>;
  /**
   * One at a time, so that records are not deleted and restored at the same time. Interrupted undos are completed
   * first.
   */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
}

const COUNTED = ['observations', 'summaries', 'prompts', 'sessions', 'messages', 'skipped'] as const;

export function createUndoing({
  store,
  feed,
  searching,
  observing,
  clock,
}: {
  store: Pick<Store, 'undoForget' | 'listUndoing'>;
  feed: Pick<ChangeFeed, 'restored'>;
  searching: Pick<Searching, 'wake'>;
  observing: Pick<Observer, 'notify'>;
  clock: Clock;
}): Undoing {
  let last: Promise<unknown> = Promise.resolve();
  /** An undo that can never succeed does not block deletions. */
  const hopeless = new Set<number>();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };

  const undoInParts = async (id: number) => {
    const undone = { observations: 0, summaries: 0, prompts: 0, sessions: 0, messages: 0, skipped: 0 };
    const ids = { observationIds: [] as number[], sessionIds: [] as number[] };
    let part = await store.undoForget(id, clock.now());
    if (part === null) return null;
    try {
      for (; part !== null; part = part.isComplete ? null : await store.undoForget(id, clock.now())) {
        for (const kind of COUNTED) undone[kind] += part[kind];
        ids.observationIds.push(...part.observationIds);
        ids.sessionIds.push(...part.sessionIds);
        await setImmediate();
      }
    } finally {
      feed.restored(ids);
      searching.wake();
      if (undone.messages > 0) observing.notify({ isTurnOver: true });
    }
    return { ...undone, ...ids };
  };

  const undo = async (id: number) => {
    try {
      return await undoInParts(id);
    } catch (error) {
      if (isStorageUnavailable(error)) hopeless.delete(id);
      else hopeless.add(id);
      throw error;
    }
  };

  return {
    undo: (id) => inTurn(() => undo(id)),
    alone: (work) =>
      inTurn(async () => {
        for (const id of await store.listUndoing()) if (!hopeless.has(id)) await undo(id);
        return work();
      }),
  };
}
