import { systemClock } from '@claude-mem/core';
import { createFixedClock } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import { withinTime } from './within-time.js';

it('returns the value when it arrives in time', async () => {
  expect(await withinTime(Promise.resolve(7), { ms: 1_000, clock: systemClock })).toBe(7);
});

it('returns null when the time is over', async () => {
  const clock = createFixedClock();
  const waiting = withinTime(new Promise(() => undefined), { ms: 400, clock });
  await clock.advance(400);
  expect(await waiting).toBeNull();
});

it('rejects with the error of the promise or the reason of the abort', async () => {
  const clock = createFixedClock();
  await expect(withinTime(Promise.reject(new Error('broken')), { ms: 9, clock })).rejects.toThrow('broken');
  const stop = new AbortController();
  const waiting = withinTime(new Promise(() => undefined), { ms: 9, clock, signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});
