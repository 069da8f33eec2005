import { expect, it } from 'vitest';
import { createFixedClock } from './fixed-clock.js';

it('returns the same time until it is advanced', async () => {
  const clock = createFixedClock(1_000);
  await new Promise((resolve) => setTimeout(resolve, 2));
  expect(clock.now()).toBe(1_000);
  await clock.advance(250);
  expect(clock.now()).toBe(1_250);
});

it('ends delays in chronological order, each at its own time', async () => {
  const clock = createFixedClock(0);
  const woken: string[] = [];
  const sleep = async (name: string, ms: number) => {
    await clock.sleep(ms);
    woken.push(`${name} at ${clock.now()}`);
  };
  void sleep('late', 300);
  void sleep('early', 100);
  void sleep('never', 301);
  await clock.advance(300);
  expect(woken).toEqual(['early at 100', 'late at 300']);
});

it('runs a second delay within the same advance', async () => {
  const clock = createFixedClock(0);
  const ticks: number[] = [];
  void (async () => {
    for (;;) {
      await clock.sleep(10);
      ticks.push(clock.now());
    }
  })();
  await clock.advance(35);
  expect(ticks).toEqual([10, 20, 30]);
});

it('rejects an aborted delay with the reason and removes it', async () => {
  const clock = createFixedClock(0);
  const stop = new AbortController();
  const sleeping = clock.sleep(10, { signal: stop.signal });
  stop.abort('enough');
  await expect(sleeping).rejects.toBe('enough');
  await expect(clock.sleep(10, { signal: stop.signal })).rejects.toBe('enough');
  await clock.advance(20);
});
