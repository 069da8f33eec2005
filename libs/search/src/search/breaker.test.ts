import { noopLogger } from '@claude-mem/core';
import { createFixedClock } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { createBreaker } from './breaker.js';

const open = (timeoutMs = 60_000) => {
  const clock = createFixedClock();
  return { clock, breaker: createBreaker({ name: 'thing', clock, logger: noopLogger, timeoutMs }) };
};
const fails = async () => {
  throw new Error('no answer');
};

describe('circuit breaker', () => {
  it('returns the result of a successful call', async () => {
    const { breaker } = open();
    await expect(breaker.run(async () => 7)).resolves.toBe(7);
    expect(breaker.problem()).toBeNull();
  });

  it('blocks calls after a failure, for longer after each one, and resets after a success', async () => {
    const { breaker, clock } = open();
    for (const pause of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      await expect(breaker.run(fails)).rejects.toThrow('no answer');
      await clock.advance(pause - 1);
      expect(breaker.problem()).toBe('no answer');
      await clock.advance(1);
      expect(breaker.problem()).toBeNull();
    }
    await breaker.run(async () => undefined);
    await expect(breaker.run(fails)).rejects.toThrow();
    await clock.advance(1_000);
    expect(breaker.problem()).toBeNull();
  });

  it('counts simultaneous failures as one', async () => {
    const { breaker, clock } = open();
    await Promise.allSettled([breaker.run(fails), breaker.run(fails), breaker.run(fails)]);
    await clock.advance(1_000);
    expect(breaker.problem()).toBeNull();
  });

  it('ends calls at the timeout even when they ignore their signal, and starts at most eight at a time', async () => {
    const { breaker } = open(20);
    const hanging = Array.from({ length: 8 }, () => breaker.run(() => new Promise(() => undefined)));
    expect(breaker.problem()).toBe('it is busy');
    const ended = await Promise.allSettled(hanging);
    expect(ended.every(({ status }) => status === 'rejected')).toBe(true);
    expect(breaker.problem()).toMatch(/timeout/);
  });

  it('ends running calls when it is closed', async () => {
    const { breaker } = open();
    const running = breaker.run(() => new Promise(() => undefined));
    breaker.close();
    await expect(running).rejects.toThrow();
    expect(breaker.problem()).toBeNull();
  });
});
