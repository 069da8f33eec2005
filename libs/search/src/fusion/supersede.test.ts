import type { ObservationHead } from '@claude-mem/storage';
import { describe, expect, it } from 'vitest';
import { supersede } from './supersede.js';

const observation = (id: number, more: Partial<ObservationHead> = {}): ObservationHead => ({
  id,
  projectId: 1,
  type: 'change',
  title: `Record ${id}`,
  file: null,
  supersededBy: null,
  createdAtEpoch: id * 1_000,
  ...more,
});

/** Ids by score after superseding, and the change of each score. */
function order(scored: readonly (readonly [ObservationHead, number])[], query = 'words') {
  const ranked = new Map(scored.map(([{ id }, score]) => [id, score]));
  const heads = scored.map(([head]) => head);
  const changes = supersede(ranked, heads, query);
  const ids = Array.from(ranked, ([id, score]) => ({ id, score: score + (changes.get(id) ?? 0) }))
    .toSorted((a, b) => b.score - a.score || b.id - a.id)
    .map(({ id }) => id);
  return { ids, changes };
}

describe('supersession', () => {
  it('changes nothing when no record is superseded', () => {
    const { ids, changes } = order([
      [observation(1), 0.9],
      [observation(2), 0.9],
      [observation(3), 0.2],
    ]);
    expect(ids).toEqual([2, 1, 3]);
    expect(changes.size).toBe(0);
  });

  it('places a superseded record directly behind its successor, at the better of both positions', () => {
    const { ids } = order([
      [observation(1, { supersededBy: 4 }), 0.9],
      [observation(2), 0.8],
      [observation(3), 0.89999],
      [observation(4), 0.1],
    ]);
    expect(ids).toEqual([4, 1, 3, 2]);
  });

  it('places a chain of records newest first, regardless of their scores', () => {
    const { ids } = order([
      [observation(1, { supersededBy: 2 }), 0.3],
      [observation(2, { supersededBy: 3 }), 0.7],
      [observation(3), 0.1],
      [observation(4), 0.5],
    ]);
    expect(ids).toEqual([3, 2, 1, 4]);
  });

  it('ranks a record lower when its successor is not among the results', () => {
    const { ids } = order([
      [observation(1, { supersededBy: 99 }), 0.9],
      [observation(2), 0.6],
      [observation(3), 0.4],
    ]);
    expect(ids).toEqual([2, 1, 3]);
  });

  it('returns each record once when records supersede each other in a cycle', () => {
    const { ids } = order([
      [observation(1, { supersededBy: 2 }), 0.9],
      [observation(2, { supersededBy: 1 }), 0.6],
      [observation(3, { supersededBy: 3 }), 0.5],
    ]);
    expect(ids).toHaveLength(3);
  });

  describe('of records with different numbers in the same statement', () => {
    const limit = (id: number, value: number, more: Partial<ObservationHead> = {}) =>
      observation(id, {
        title: `The retry limit of the queue is ${value}`,
        file: 'src/queue.ts',
        ...more,
      });
    const scored = [
      [limit(1, 3), 0.9],
      [observation(2), 0.8],
      [limit(3, 5), 0.7],
    ] as const;

    it('places the newest first and keeps the positions of other records', () => {
      expect(order(scored).ids).toEqual([3, 2, 1]);
    });

    const pair = (first: string, second: string) =>
      order([
        [limit(1, 0, { title: first }), 0.9],
        [limit(3, 0, { title: second }), 0.7],
      ]).ids;

    it.each([
      ['Fix issue 12 in the queue worker', 'Fix issue 13 in the queue worker'],
      ['Queue worker stops after a crash (#12)', 'Queue worker stops after a crash (#13)'],
      ['SHOP-12: queue worker stops after crash', 'SHOP-13: queue worker stops after crash'],
      ['Step 1 of moving the queue worker', 'Step 2 of moving the queue worker'],
      ['The queue worker handles status code 404', 'The queue worker handles status code 409'],
      ['Issue no. 3: retry limit of the queue is 5', 'Issue no. 4: retry limit of the queue is 5'],
    ])('does not treat numbers in names as values: %s', (first, second) => {
      expect(pair(first, second)).toEqual([1, 3]);
    });

    it.each([
      ['Upgrade the queue worker to 1.2', 'Upgrade the queue worker to 1.3'],
      ['Queue worker hashes keys with SHA-256', 'Queue worker hashes keys with SHA-512'],
      ['Issue 12: retry limit of the queue is 3', 'Issue 12: retry limit of the queue is 5'],
      ['The queue worker runs on node-20 now', 'The queue worker runs on node-22 now'],
    ])('treats numbers as values: %s', (first, second) => {
      expect(pair(first, second)).toEqual([3, 1]);
    });

    it('does not apply to the record whose number is in the query', () => {
      expect(order(scored, 'when was the retry limit 3').ids).toEqual([1, 2, 3]);
    });

    it.each<[string, Partial<ObservationHead>]>([
      ['another project', { projectId: 2 }],
      ['another type', { type: 'decision' }],
      ['another file', { file: 'src/other.ts' }],
      ['no file', { file: null }],
      ['another subject', { title: 'The retry limit of the mailer is 3' }],
      ['too few words', { title: 'Algorithm 3' }],
    ])('does not apply to a record with %s', (_, more) => {
      expect(order([[limit(1, 3, more), 0.9], ...scored.slice(1)]).ids).toEqual([1, 2, 3]);
    });
  });
});
