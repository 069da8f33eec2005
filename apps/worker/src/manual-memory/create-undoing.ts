import { setImmediate } from 'node:timers/promises';
import type { Clock, Store, UndoneForget } from '@claude-mem/core';
import { isStorageUnavailable } from '@claude-mem/capture';
import type { Observer } from '@claude-mem/observer';
import type { Searching } from '../search/create-searching.js';
import type { ChangeFeed } from '../stream/create-change-feed.js';

/** Undoing what was forgotten. */
export interface Undoing {
  /**
   * In parts, between which others get their turn. Null when it is final, or was undone before. What ends it half way leaves it begun:
   * the same again, or the next worker, brings the rest.
   */
  undo(id: number): Promise<Omit<UndoneForget, 'isWhole'> | null>;
  /**
   * One after the other, so that nothing is forgotten of which more comes back, and nothing undone to which more is added. What a busy
   * database, or the end of a worker, kept from being undone whole is so first.
   */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
}

const COUNTED = ['observations', 'summaries', 'prompts', 'sessions', 'messages', 'leftOut'] as const;

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
  /** What will not succeed later either holds back no forgetting. */
  const hopeless = new Set<number>();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };

  const undoInParts = async (id: number) => {
    const undone = { observations: 0, summaries: 0, prompts: 0, sessions: 0, messages: 0, leftOut: 0 };
    const ids = { observationIds: [] as number[], sessionIds: [] as number[] };
    let part = await store.undoForget(id, clock.now());
    if (part === null) return null;
    try {
      for (; part !== null; part = part.isWhole ? null : await store.undoForget(id, clock.now())) {
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
