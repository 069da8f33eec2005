import { systemClock } from '@claude-mem/core';
import { expect, it } from 'vitest';
import { createFilesAtHand } from './create-files-at-hand.js';

it('waits a moment for a look, and takes what the last one found while another runs', async () => {
  const waiting: ((files: readonly string[]) => void)[] = [];
  const atHand = createFilesAtHand({
    filesOfBranch: () => new Promise((resolve) => waiting.push(resolve)),
    clock: systemClock,
  });
  expect(await atHand('/repos/shop')).toEqual([]);
  expect(await atHand('/repos/shop')).toEqual([]);
  expect(waiting).toHaveLength(1);
  waiting[0]?.(['a.ts']);
  await Promise.resolve();
  const quick = atHand('/repos/blog');
  waiting[1]?.(['b.ts']);
  expect(await quick).toEqual(['b.ts']);
  expect(await atHand('/repos/shop')).toEqual(['a.ts']);
  expect(waiting).toHaveLength(3);
});
