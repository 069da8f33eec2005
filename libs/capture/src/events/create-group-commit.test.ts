import type { CapturedEvent, CaptureResult, Clock } from '@claude-mem/core';
import { StorageError } from '@claude-mem/storage';
import { describe, expect, it } from 'vitest';
import { createGroupCommit } from './create-group-commit.js';

const event = (dedupeKey: string) => ({ kind: 'session-start', dedupeKey }) as unknown as CapturedEvent;
const result = (sessionId: number): CaptureResult => ({
  kind: 'stored',
  sessionId,
  projectId: 1,
  promptNumber: 0,
});

/** Creates a clock whose time advances only in `sleep`. */
function createSleepClock(): Clock {
  let now = 0;
  return { now: () => now, sleep: async (ms) => void (now += ms) };
}

const createOptions = () => ({ clock: createSleepClock(), signal: new AbortController().signal });

function recording({ failOn = '', error = new Error(`cannot store ${failOn}`) } = {}) {
  const groups: string[][] = [];
  const committed: number[] = [];
  const commit = createGroupCommit({
    ...createOptions(),
    store: {
      async capture(events) {
        groups.push(events.map(({ dedupeKey }) => dedupeKey));
        if (events.some(({ dedupeKey }) => dedupeKey === failOn)) throw error;
        return events.map(({ dedupeKey }) => result(Number(dedupeKey)));
      },
    },
    onCommitted: (results) => committed.push(...results.map(({ sessionId }) => sessionId)),
    maxGroup: 4,
  });
  return { commit, groups, committed };
}

describe('createGroupCommit', () => {
  it('stores events that arrive together in one transaction, in order', async () => {
    const { commit, groups } = recording();
    const results = await Promise.all(['1', '2', '3'].map((key) => commit.submit(event(key))));
    expect(groups).toEqual([['1', '2', '3']]);
    expect(results.map(({ sessionId }) => sessionId)).toEqual([1, 2, 3]);
  });

  it('limits the size of a group and keeps the order', async () => {
    const { commit, groups } = recording();
    await Promise.all(['1', '2', '3', '4', '5', '6'].map((key) => commit.submit(event(key))));
    expect(groups.flat()).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(groups.map((group) => group.length)).toEqual([4, 2]);
  });

  it('rejects only the event that cannot be stored', async () => {
    const { commit, committed } = recording({ failOn: '2' });
    const results = await Promise.allSettled(['1', '2', '3'].map((key) => commit.submit(event(key))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(committed).toEqual([1, 3]);
  });

  it('rejects an event and all later events when the database stays busy', async () => {
    const { commit, groups } = recording({
      failOn: '1',
      error: new StorageError('storage/busy', 'locked'),
    });
    const submitted = ['1', '2', '3', '4', '5', '6'].map((key) => commit.submit(event(key)));
    const results = await Promise.allSettled(submitted);
    expect(results.map(({ status }) => status)).toEqual(Array(6).fill('rejected'));
    expect(groups).toEqual(Array(101).fill(['1', '2', '3', '4']));
    await expect(commit.submit(event('7'))).resolves.toMatchObject({ sessionId: 7 });
  });

  it('rejects the later events of a group when the database is busy while one event is stored alone', async () => {
    const taken: string[] = [];
    const commit = createGroupCommit({
      ...createOptions(),
      store: {
        async capture(events) {
          if (events.length > 1) throw new Error('one of them cannot be stored');
          const key = events[0]!.dedupeKey;
          if (key === '2') throw new StorageError('storage/busy', 'locked');
          taken.push(key);
          return [result(Number(key))];
        },
      },
      onCommitted: () => undefined,
    });
    const submitted = ['1', '2', '3', '4'].map((key) => commit.submit(event(key)));
    const results = await Promise.allSettled(submitted);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    expect(taken).toEqual(['1']);
  });

  it('reports a failure until the next event is stored', async () => {
    const { commit } = recording({ failOn: '1' });
    await expect(commit.submit(event('1'))).rejects.toThrow('cannot store');
    expect(commit.problem()).toContain('cannot store 1');
    await expect(commit.submit(event('2'))).resolves.toMatchObject({ sessionId: 2 });
    expect(commit.problem()).toBeNull();
  });

  it('stores an event when the database is busy only for a moment', async () => {
    let attempts = 0;
    const commit = createGroupCommit({
      ...createOptions(),
      store: {
        async capture() {
          attempts += 1;
          if (attempts < 3) throw new StorageError('storage/busy', 'locked');
          return [result(1)];
        },
      },
      onCommitted: () => undefined,
    });
    await expect(commit.submit(event('1'))).resolves.toMatchObject({ sessionId: 1 });
    expect(attempts).toBe(3);
  });

  it('settles when all submitted events are stored', async () => {
    const { commit, committed } = recording();
    void commit.submit(event('1'));
    await commit.settled();
    expect(committed).toEqual([1]);
  });
});
