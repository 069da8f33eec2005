import { expect, it } from 'vitest';
import { formatFreshness, type Freshness, type StaleFile } from './freshness.js';

const file = (verdict: StaleFile['verdict'], more: Partial<StaleFile> = {}): StaleFile => ({
  ...{ path: 'src/cart.ts', verdict, commits: null, movedTo: null },
  ...more,
});
const freshness = (files: readonly StaleFile[], fileCount = files.length): Freshness => ({
  ...{ verdict: files[0]?.verdict ?? 'fresh', fileCount, staleCount: files.length, files, branch: null },
});

it.each<[string, Freshness]>([
  ['', freshness([], 1)],
  ['file deleted', freshness([file('gone')])],
  ['file moved to src/basket.ts', freshness([file('moved', { movedTo: 'src/basket.ts' })])],
  ['file changed since', freshness([file('changed')])],
  ['file changed since (1 commit)', freshness([file('changed', { commits: 1 })])],
  ['file changed since (12 commits)', freshness([file('changed', { commits: 12 })])],
  ['2 of 5 files changed since', freshness([file('changed'), file('changed', { commits: 3 })], 5)],
  ['2 files deleted', freshness([file('gone'), file('gone')])],
  ['1 of 2 files moved', freshness([file('moved', { movedTo: 'b.ts' })], 2)],
  ['2 of 3 files changed, moved or deleted since', freshness([file('changed'), file('gone')], 3)],
  ['30 of 31 files deleted', { ...freshness([file('gone')], 31), staleCount: 30 }],
  ['on the open branch fix', { ...freshness([], 1), branch: { name: 'fix', state: 'open' } }],
  ['on the deleted branch fix', { ...freshness([], 1), branch: { name: 'fix', state: 'abandoned' } }],
  ['', { ...freshness([], 1), branch: { name: 'fix', state: 'merged' } }],
])('formats %j', (text, one) => {
  expect(formatFreshness(one)).toBe(text);
});

it('formats the new path of a moved file when a function is passed', () => {
  const moved = freshness([file('moved', { movedTo: 'src/basket.ts' })]);
  expect(formatFreshness(moved, (path) => `\`${path}\``)).toBe('file moved to `src/basket.ts`');
});
