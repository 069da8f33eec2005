import type { Observation } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { observation } from './__fixtures__/memory.js';
import { rankObservations } from './rank-observations.js';

const FILE = 'src/cart/total.ts';
const DAY_MS = 86_400_000;
const rank = (
  given: readonly { changed?: string; read?: string }[],
  { files = [`/repos/shop/${FILE}`] }: { files?: string[] } = {},
) => {
  const observations = given.map(({ changed, read }, index) =>
    observation(index + 1, {
      title: `Record ${index + 1}`,
      createdAtEpoch: index * DAY_MS,
      filesModified: changed === undefined ? [] : [changed],
      filesRead: read === undefined ? [] : [read],
    }),
  );
  const { current, ranked, skipped } = rankObservations(observations, { pinned: [], files });
  return { current: current.map(({ id }) => id), ranked: ranked.map(({ id }) => id), skipped };
};
const others = Array.from({ length: 20 }, () => ({ changed: 'README.md' }));

it('separates records of any age that changed the current files, newest first', () => {
  const { current, ranked } = rank([{ changed: FILE }, { read: FILE }, { changed: FILE }, ...others]);
  expect(current).toEqual([3, 1]);
  expect(ranked).toHaveLength(21);
  expect(ranked).not.toContain(1);
});

it('separates at most eight records when all records changed the current files', () => {
  const { current, ranked, skipped } = rank(Array.from({ length: 30 }, () => ({ changed: FILE })));
  expect(current).toEqual([30, 29, 28, 27, 26, 25, 24, 23]);
  expect(ranked.slice(0, 5)).toEqual([22, 21, 20, 19, 18]);
  expect(ranked).toHaveLength(22);
  expect(skipped).toEqual([]);
});

it('separates no records when there are no current files', () => {
  expect(rank([{ changed: FILE }, ...others], { files: [] }).current).toEqual([]);
  expect(rank([{ changed: FILE }, ...others], { files: ['other/total.ts'] }).current).toEqual([]);
});

it('separates records about the branch once, also from outside the material, and skips superseded ones', () => {
  const material = [1, 2, 3].map((id) => observation(id, { filesModified: id === 2 ? [FILE] : [] }));
  const onBranch = [
    observation(1),
    observation(2),
    observation(-5, { title: 'Long ago' }),
    observation(-6, { supersededBy: 3 }),
  ];
  const {
    current: current,
    ranked,
    skipped,
  } = rankObservations(material, { pinned: [], files: [FILE], onBranch });
  expect(current.map(({ id }) => id)).toEqual([2, 1, -5]);
  expect(ranked.map(({ id }) => id)).toEqual([3]);
  expect(skipped).toEqual([{ id: -6, reason: 'superseded by #3' }]);
});

describe('S06: records that an agent saved', () => {
  const manual = (id: number, more: Partial<Observation> = {}) =>
    observation(id, { source: 'manual', createdAtEpoch: id * DAY_MS, ...more });
  const byAgent = (id: number, more: Partial<Observation> = {}) =>
    observation(id, { source: 'agent', type: 'decision', createdAtEpoch: id * DAY_MS, ...more });
  const idsOf = (observations: readonly Observation[]) => observations.map(({ id }) => id);
  const flood = Array.from({ length: 30 }, (_, index) => byAgent(index + 100));

  it('come after all records that a person saved, and only the newest five are shown', () => {
    const observed = Array.from({ length: 6 }, (_, index) => observation(index + 10));
    const { ranked, skipped } = rankObservations([manual(1), manual(2), ...observed, ...flood], {
      pinned: [],
      files: [],
    });
    const saved = ranked.filter(({ source }) => source !== 'observer');
    expect(idsOf(saved)).toEqual([2, 1, 129, 128, 127, 126, 125]);
    expect(skipped).toHaveLength(25);
    expect(skipped[0]?.reason).toBe('only 5 records that agents saved are shown');
  });

  it('come after records that a person saved about the current files', () => {
    const files = { filesModified: [FILE] };
    const records = [manual(1, files), ...flood.map((one) => ({ ...one, ...files }))];
    const { current: current } = rankObservations(records, { pinned: [], files: [`/repos/shop/${FILE}`] });
    expect(idsOf(current)).toEqual([1, 129, 128, 127, 126, 125]);
  });

  it('records that an agent saved do not replace a record that a person saved under the same title', () => {
    const { ranked, skipped } = rankObservations(
      [manual(1, { title: 'Rule' }), byAgent(2, { title: 'Rule' })],
      {
        pinned: [],
        files: [],
      },
    );
    expect(idsOf(ranked)).toEqual([1]);
    expect(skipped).toEqual([{ id: 2, reason: 'same title as #1' }]);
  });

  it('count as records of a person once they are pinned', () => {
    const pinned = flood.map((one) => ({ ...one, pinned: true }));
    expect(rankObservations(pinned, { pinned: [], files: [] }).ranked).toHaveLength(30);
  });
});

describe('records whose files changed', () => {
  const stale = (id: number, verdict: 'changed' | 'gone') =>
    observation(id, {
      title: `Record ${id}`,
      createdAtEpoch: id,
      freshness: {
        ...{ verdict, fileCount: 1, staleCount: 1 },
        files: [{ path: FILE, verdict, commits: null, movedTo: null }],
        branch: null,
      },
    });
  const record = (id: number) => observation(id, { title: `Record ${id}`, createdAtEpoch: id });
  const newest = [11, 12, 13, 14, 15].map(record);

  it('are skipped when all their files were deleted, unless they are pinned', () => {
    const {
      ranked,
      current: current,
      skipped,
    } = rankObservations([...newest, stale(2, 'gone'), record(1)], {
      pinned: [stale(3, 'gone')],
      files: [],
      onBranch: [stale(4, 'gone')],
    });
    expect(ranked.map(({ id }) => id)).toEqual([15, 14, 13, 12, 11, 1]);
    expect(current).toEqual([]);
    expect(skipped).toEqual([4, 2].map((id) => ({ id, reason: 'its files were deleted' })));
  });

  it('are skipped on another open branch, and rank lower when that branch was deleted', () => {
    const onBranch = (id: number, state: 'open' | 'abandoned' | 'merged') => ({
      ...record(id),
      freshness: {
        ...{ verdict: 'unknown' as const, fileCount: 1, staleCount: 0, files: [] },
        branch: { name: 'fix', state },
      },
    });
    const { ranked, skipped } = rankObservations(
      [...newest, onBranch(4, 'open'), onBranch(3, 'abandoned'), onBranch(2, 'merged'), record(1)],
      { pinned: [], files: [] },
    );
    expect(ranked.map(({ id }) => id)).toEqual([15, 14, 13, 12, 11, 2, 1, 3]);
    expect(skipped).toEqual([{ id: 4, reason: 'it is of another branch that is not merged' }]);
  });

  it('rank lower than others of the same type and age when their files were changed', () => {
    const { ranked } = rankObservations([...newest, stale(3, 'changed'), record(2), record(1)], {
      pinned: [],
      files: [],
    });
    expect(ranked.map(({ id }) => id)).toEqual([15, 14, 13, 12, 11, 2, 1, 3]);
  });
});
