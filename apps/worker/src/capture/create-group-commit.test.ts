import type { CapturedEvent, CaptureResult } from '@claude-mem/core';
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

function recording({ failOn = '', error = new Error(`cannot store ${failOn}`) } = {}) {
  const groups: string[][] = [];
  const told: number[] = [];
  const failed: string[] = [];
  const commit = createGroupCommit({
    async commit(events) {
      groups.push(events.map(({ dedupeKey }) => dedupeKey));
      if (events.some(({ dedupeKey }) => dedupeKey === failOn)) throw error;
      return events.map(({ dedupeKey }) => result(Number(dedupeKey)));
    },
    onCommitted: (results) => told.push(...results.map(({ sessionId }) => sessionId)),
    onFailed: (error) => failed.push(String(error)),
    maxGroup: 4,
  });
  return { commit, groups, told, failed };
}

describe('createGroupCommit', () => {
  it('stores what comes in together in one transaction, in order', async () => {
    const { commit, groups } = recording();
    const results = await Promise.all(['1', '2', '3'].map((key) => commit.submit(event(key))));
    expect(groups).toEqual([['1', '2', '3']]);
    expect(results.map(({ sessionId }) => sessionId)).toEqual([1, 2, 3]);
  });

  it('bounds a group and keeps the order', async () => {
    const { commit, groups } = recording();
    await Promise.all(['1', '2', '3', '4', '5', '6'].map((key) => commit.submit(event(key))));
    expect(groups.flat()).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(groups.map((group) => group.length)).toEqual([4, 2]);
  });

  it('fails only the event at fault', async () => {
    const { commit, told, failed } = recording({ failOn: '2' });
    const results = await Promise.allSettled(['1', '2', '3'].map((key) => commit.submit(event(key))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(told).toEqual([1, 3]);
    expect(failed).toEqual(['Error: cannot store 2']);
  });

  it('stores nothing before what a busy database did not take, and asks it only once', async () => {
    const { commit, groups, failed } = recording({
      failOn: '1',
      error: new StorageError('storage/busy', 'locked'),
    });
    const submitted = ['1', '2', '3', '4', '5', '6'].map((key) => commit.submit(event(key)));
    const results = await Promise.allSettled(submitted);
    expect(results.map(({ status }) => status)).toEqual(Array(6).fill('rejected'));
    expect(groups).toEqual([['1', '2', '3', '4']]);
    expect(failed).toHaveLength(1);
    await expect(commit.submit(event('7'))).resolves.toMatchObject({ sessionId: 7 });
  });

  it('stores nothing before it either where the group fails for another reason', async () => {
    const taken: string[] = [];
    const commit = createGroupCommit({
      async commit(events) {
        if (events.length > 1) throw new Error('one of them cannot be stored');
        const key = events[0]!.dedupeKey;
        if (key === '2') throw new StorageError('storage/busy', 'locked');
        taken.push(key);
        return [result(Number(key))];
      },
      onCommitted: () => undefined,
      onFailed: () => undefined,
    });
    const submitted = ['1', '2', '3', '4'].map((key) => commit.submit(event(key)));
    const results = await Promise.allSettled(submitted);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    expect(taken).toEqual(['1']);
  });

  it('goes on after a failure', async () => {
    const { commit } = recording({ failOn: '1' });
    await expect(commit.submit(event('1'))).rejects.toThrow('cannot store');
    await expect(commit.submit(event('2'))).resolves.toMatchObject({ sessionId: 2 });
  });

  it('is settled only when nothing is open', async () => {
    const { commit, told } = recording();
    void commit.submit(event('1'));
    await commit.settled();
    expect(told).toEqual([1]);
  });
});
