import { expect, it } from 'vitest';
import { systemClock } from './clock.js';

it('tells the time of the machine', () => {
  const before = Date.now();
  expect(systemClock.now()).toBeGreaterThanOrEqual(before);
  expect(systemClock.now()).toBeLessThanOrEqual(Date.now());
});

it('sleeps about as long as asked', async () => {
  const start = performance.now();
  await systemClock.sleep(15);
  expect(performance.now() - start).toBeGreaterThanOrEqual(14);
});

it('rejects with the reason of the abort, before and during the sleep', async () => {
  const reason = new Error('enough');
  await expect(systemClock.sleep(60_000, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const stop = new AbortController();
  const sleeping = systemClock.sleep(60_000, { signal: stop.signal });
  stop.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
});
