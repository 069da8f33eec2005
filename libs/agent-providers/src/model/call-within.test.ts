import { createFixedClock } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { PROVIDER_ROWS } from '@claude-mem/core';
import { callWithin, type RunningCall } from './call-within.js';

const row = PROVIDER_ROWS.claude;
const never = () => new Promise<never>(() => {});

describe('callWithin', () => {
  it('returns the result of the call, and rethrows its error', async () => {
    expect(await callWithin({ row }, async () => 7)).toBe(7);
    const error = new Error('no');
    await expect(callWithin({ row }, async () => Promise.reject(error))).rejects.toBe(error);
  });

  it('does not start the call when the signal is already aborted', async () => {
    const reason = new Error('stop');
    let isRun = false;
    const run = async () => void (isRun = true);
    await expect(callWithin({ row, signal: AbortSignal.abort(reason) }, run)).rejects.toBe(reason);
    expect(isRun).toBe(false);
  });

  it('rethrows the caller’s reason, even when the call ignores the signal or fails because of it', async () => {
    for (const run of [
      never,
      (call: RunningCall) =>
        new Promise<never>((_, reject) =>
          call.signal.addEventListener('abort', () => reject(new Error('aborted'))),
        ),
    ]) {
      const controller = new AbortController();
      const called = callWithin({ row, signal: controller.signal }, run);
      const reason = new Error('stop');
      controller.abort(reason);
      await expect(called).rejects.toBe(reason);
    }
  });

  it('removes its listener from the caller’s signal', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...given: Parameters<typeof add>) => (listeners++, add(...given));
    signal.removeEventListener = (...given: Parameters<typeof remove>) => (listeners--, remove(...given));
    await callWithin({ row, signal }, async () => 1);
    expect(listeners).toBe(0);
  });

  it('allows more time for the first activity than between two', async () => {
    const clock = createFixedClock();
    const startedAt = clock.now();
    let call: RunningCall | undefined;
    const timeouts = { firstByteMs: 100_000, stallMs: 10_000, totalMs: 1_000_000 };
    const called = callWithin({ row, clock, timeouts }, (running) => ((call = running), never())).catch(
      (error: unknown) => error,
    );
    await clock.advance(95_000);
    call?.alive();
    await clock.advance(9_000);
    call?.alive();
    expect(call?.signal.aborted).toBe(false);
    await clock.advance(20_000);
    expect(await called).toMatchObject({ code: 'provider/timeout', usage: null });
    expect(call?.signal.aborted).toBe(true);
    expect(clock.now() - startedAt).toBe(124_000);
  });

  it('ends a call without any activity', async () => {
    const clock = createFixedClock();
    const timeouts = { firstByteMs: 20_000, stallMs: 60_000, totalMs: 1_000_000 };
    const called = callWithin({ row, clock, timeouts }, never).catch((error: unknown) => error);
    await clock.advance(25_000);
    expect(await Promise.race([called, 'still waiting'])).toMatchObject({ code: 'provider/timeout' });
  });

  it('ends an active call that takes too long', async () => {
    const clock = createFixedClock();
    let call: RunningCall | undefined;
    const timeouts = { stallMs: 10_000, totalMs: 30_000 };
    const called = callWithin({ row, clock, timeouts }, (running) => ((call = running), never())).catch(
      (error: unknown) => error,
    );
    for (let second = 0; second < 35; second += 5) {
      call?.alive();
      await clock.advance(5_000);
    }
    expect(await called).toMatchObject({
      code: 'provider/timeout',
      message: 'The claude observer got no answer in 30 seconds.',
    });
  });
});
