import { expect, it } from 'vitest';
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
  const { atHand, ranked, leftOut } = rankObservations(observations, { pinned: [], files });
  return { atHand: atHand.map(({ id }) => id), ranked: ranked.map(({ id }) => id), leftOut };
};
const others = Array.from({ length: 20 }, () => ({ changed: 'README.md' }));

it('sets apart what changed the files at hand, however old, newest first', () => {
  const { atHand, ranked } = rank([{ changed: FILE }, { read: FILE }, { changed: FILE }, ...others]);
  expect(atHand).toEqual([3, 1]);
  expect(ranked).toHaveLength(21);
  expect(ranked).not.toContain(1);
});

it('sets few apart where everything changed them, and keeps the others in their order', () => {
  const { atHand, ranked, leftOut } = rank(Array.from({ length: 30 }, () => ({ changed: FILE })));
  expect(atHand).toEqual([30, 29, 28, 27, 26, 25, 24, 23]);
  expect(ranked.slice(0, 5)).toEqual([22, 21, 20, 19, 18]);
  expect(ranked).toHaveLength(22);
  expect(leftOut).toEqual([]);
});

it('sets nothing apart without files at hand', () => {
  expect(rank([{ changed: FILE }, ...others], { files: [] }).atHand).toEqual([]);
  expect(rank([{ changed: FILE }, ...others], { files: ['other/total.ts'] }).atHand).toEqual([]);
});

it('sets apart what is on the matter of the branch, also from beyond the material, once and never what is superseded', () => {
  const material = [1, 2, 3].map((id) => observation(id, { filesModified: id === 2 ? [FILE] : [] }));
  const onBranch = [
    observation(1),
    observation(2),
    observation(-5, { title: 'Long ago' }),
    observation(-6, { supersededBy: 3 }),
  ];
  const { atHand, ranked, leftOut } = rankObservations(material, { pinned: [], files: [FILE], onBranch });
  expect(atHand.map(({ id }) => id)).toEqual([2, 1, -5]);
  expect(ranked.map(({ id }) => id)).toEqual([3]);
  expect(leftOut).toEqual([{ id: -6, reason: 'superseded by #3' }]);
});
