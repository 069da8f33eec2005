import type { Freshness } from '@claude-mem/core';
import type { FoundItem } from '@claude-mem/worker-protocol';
import { expect, it } from 'vitest';
import { rankStaleLower } from './rank-stale-lower.js';

const found = (
  id: number,
  score: number,
  freshness?: Partial<Freshness>,
  supersededBy: number | null = null,
) =>
  ({
    kind: 'observation',
    score,
    parts: [{ name: 'lexical', value: score }],
    item: {
      id,
      supersededBy,
      ...(freshness && { freshness: { fileCount: 1, staleCount: 1, files: [], ...freshness } }),
    },
  }) as unknown as FoundItem;
const idsOf = (items: readonly FoundItem[]) => items.map(({ item }) => item.id);

it('lowers the rank of records with changed or deleted files when the other records match about as well', () => {
  const items = [
    found(1, 1, { verdict: 'gone' }),
    found(2, 0.95, { verdict: 'changed' }),
    found(3, 0.9),
    found(4, 0.5),
  ];
  expect(idsOf(rankStaleLower(items))).toEqual([3, 2, 1, 4]);
});

it('keeps the order when records are fresh, have moved files, or have an unknown state', () => {
  const items = [found(1, 1, { verdict: 'moved' }), found(2, 1, { verdict: 'unknown' }), found(3, 1)];
  expect(rankStaleLower(items)).toEqual(items);
});

it('lowers the score less when most files of the record are unchanged', () => {
  const items = [found(1, 1, { verdict: 'changed', fileCount: 10 }), found(2, 0.98)];
  expect(idsOf(rankStaleLower(items))).toEqual([1, 2]);
});

it('adds the reduction to the parts of the score, so that the parts still add up to the score', () => {
  const [lowered] = rankStaleLower([found(1, 1, { verdict: 'gone' })]);
  const sum = lowered?.parts?.reduce((total, { value }) => total + value, 0);
  expect([lowered?.score, sum]).toEqual([0.6, 0.6]);
});

it('keeps a superseded record behind its successor when the files of the successor were changed', () => {
  const items = [
    found(3, 1, { verdict: 'gone' }),
    found(2, 1 - 1e-9, undefined, 3),
    found(1, 1 - 2e-9, undefined, 2),
    found(4, 0.7),
  ];
  expect(idsOf(rankStaleLower(items))).toEqual([4, 3, 2, 1]);
});
