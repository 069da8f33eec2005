import { expect, it } from 'vitest';
import { pause, systemClock } from './clock.js';
import { createFixedClock } from './testing/fixed-clock.js';

it('returns the time of the machine', () => {
  const before = Date.now();
  expect(systemClock.now()).toBeGreaterThanOrEqual(before);
  expect(systemClock.now()).toBeLessThanOrEqual(Date.now());
});

it('resolves after about the requested time', async () => {
  const start = performance.now();
  await systemClock.sleep(15);
  expect(performance.now() - start).toBeGreaterThanOrEqual(14);
});

it('rejects with the reason of the abort, before and during the delay', async () => {
  const reason = new Error('enough');
  await expect(systemClock.sleep(60_000, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const stop = new AbortController();
  const sleeping = systemClock.sleep(60_000, { signal: stop.signal });
  stop.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
});

it('pauses until the delay ends or the signal aborts, and rejects for neither', async () => {
  const clock = createFixedClock();
  const stop = new AbortController();
  let ended = 0;
  const paused = [500, 60_000].map((ms) => pause(clock, ms, stop.signal).then(() => (ended += 1)));
  await clock.advance(500);
  expect(ended).toBe(1);
  stop.abort(new Error('enough'));
  await Promise.all([...paused, pause(clock, 60_000, stop.signal)]);
  expect(ended).toBe(2);
});

it('rethrows other errors during a pause', async () => {
  const broken = { now: () => 0, sleep: () => Promise.reject(new Error('no clock')) };
  await expect(pause(broken, 1, new AbortController().signal)).rejects.toThrow('no clock');
});
