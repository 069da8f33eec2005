import { createFixedClock } from '@claude-mem/core/testing';
import { systemClock } from '@claude-mem/core';
import { expect, it } from 'vitest';
import { createCachedLookup } from './create-cached-lookup.js';

const name = 'The files';

/** Creates a lookup whose calls the test resolves. */
const createManualLookup = () => {
  const waiting: ((files: readonly string[]) => void)[] = [];
  const lookup = () => new Promise<readonly string[]>((resolve) => waiting.push(resolve));
  return { waiting, lookup };
};

it('waits a short time for the first lookup, and starts no second lookup while the first one runs', async () => {
  const { waiting, lookup } = createManualLookup();
  const find = createCachedLookup({ lookup, name, clock: systemClock });
  expect(await find('/repos/shop')).toEqual([]);
  expect(await find('/repos/shop')).toEqual([]);
  expect(waiting).toHaveLength(1);
  const quick = find('/repos/blog');
  waiting[1]?.(['b.ts']);
  expect(await quick).toEqual(['b.ts']);
});

it('returns the cached items, and repeats the lookup for the next call', async () => {
  const clock = createFixedClock(0);
  const { waiting, lookup } = createManualLookup();
  const find = createCachedLookup({ lookup, name, clock });
  const first = find('/repos/shop');
  waiting[0]?.(['a.ts']);
  expect(await first).toEqual(['a.ts']);
  expect(await find('/repos/shop')).toEqual(['a.ts']);
  expect(waiting).toHaveLength(1);
  await clock.advance(1_000);
  waiting[1]?.(['c.ts']);
  await clock.advance(1);
  expect(await find('/repos/shop')).toEqual(['c.ts']);
  await clock.advance(1_000);
  waiting[2]?.(['d.ts']);
  await clock.advance(11 * 60_000);
  const late = find('/repos/shop');
  expect(waiting).toHaveLength(4);
  waiting[3]?.(['e.ts']);
  expect(await late).toEqual(['e.ts']);
});

it('returns the cached items when a lookup fails', async () => {
  const clock = createFixedClock(0);
  const answers: (readonly string[] | Error)[] = [new Error('no git'), ['a.ts'], new Error('no git')];
  const find = createCachedLookup({
    name,
    lookup: async () => {
      const answer = answers.shift() ?? [];
      if (answer instanceof Error) throw answer;
      return answer;
    },
    clock,
  });
  expect(await find('/repos/shop')).toEqual([]);
  expect(await find('/repos/shop')).toEqual(['a.ts']);
  // No caller waits for the next lookup, so its failure must not end the process.
  expect(await find('/repos/shop')).toEqual(['a.ts']);
  await clock.advance(1_000);
  expect(answers).toEqual([]);
  expect(await find('/repos/shop')).toEqual(['a.ts']);
});
