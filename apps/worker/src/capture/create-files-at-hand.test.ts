import { createFixedClock } from '@claude-mem/core/testing';
import { systemClock } from '@claude-mem/core';
import { expect, it } from 'vitest';
import { createFilesAtHand } from './create-files-at-hand.js';

const lookOf = () => {
  const waiting: ((files: readonly string[]) => void)[] = [];
  const filesOfBranch = () => new Promise<readonly string[]>((resolve) => waiting.push(resolve));
  return { waiting, filesOfBranch };
};

it('waits a moment for the first look, and starts no second one meanwhile', async () => {
  const { waiting, filesOfBranch } = lookOf();
  const atHand = createFilesAtHand({ filesOfBranch, clock: systemClock });
  expect(await atHand('/repos/shop')).toEqual([]);
  expect(await atHand('/repos/shop')).toEqual([]);
  expect(waiting).toHaveLength(1);
  const quick = atHand('/repos/blog');
  waiting[1]?.(['b.ts']);
  expect(await quick).toEqual(['b.ts']);
});

it('takes what was seen lately, and looks again for the next session', async () => {
  const clock = createFixedClock(0);
  const { waiting, filesOfBranch } = lookOf();
  const atHand = createFilesAtHand({ filesOfBranch, clock });
  const first = atHand('/repos/shop');
  waiting[0]?.(['a.ts']);
  expect(await first).toEqual(['a.ts']);
  expect(await atHand('/repos/shop')).toEqual(['a.ts']);
  expect(waiting).toHaveLength(1);
  await clock.advance(1_000);
  waiting[1]?.(['c.ts']);
  await clock.advance(1);
  expect(await atHand('/repos/shop')).toEqual(['c.ts']);
  await clock.advance(1_000);
  waiting[2]?.(['d.ts']);
  await clock.advance(11 * 60_000);
  const late = atHand('/repos/shop');
  expect(waiting).toHaveLength(4);
  waiting[3]?.(['e.ts']);
  expect(await late).toEqual(['e.ts']);
});

it('a look that fails costs a session nothing, and what was seen before stays known', async () => {
  const clock = createFixedClock(0);
  const answers: (readonly string[] | Error)[] = [new Error('no git'), ['a.ts'], new Error('no git')];
  const atHand = createFilesAtHand({
    filesOfBranch: async () => {
      const answer = answers.shift() ?? [];
      if (answer instanceof Error) throw answer;
      return answer;
    },
    clock,
  });
  expect(await atHand('/repos/shop')).toEqual([]);
  expect(await atHand('/repos/shop')).toEqual(['a.ts']);
  // the next look is nobody's: a failure of it must not end the worker
  expect(await atHand('/repos/shop')).toEqual(['a.ts']);
  await clock.advance(1_000);
  expect(answers).toEqual([]);
  expect(await atHand('/repos/shop')).toEqual(['a.ts']);
});
