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

describe('a breaker', () => {
  it('lets pass what works', async () => {
    const { breaker } = open();
    await expect(breaker.run(async () => 7)).resolves.toBe(7);
    expect(breaker.problem()).toBeNull();
  });

  it('leaves alone what failed, for longer each time, and forgets it once it works', async () => {
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

  it('counts failures of one moment as one', async () => {
    const { breaker, clock } = open();
    await Promise.allSettled([breaker.run(fails), breaker.run(fails), breaker.run(fails)]);
    await clock.advance(1_000);
    expect(breaker.problem()).toBeNull();
  });

  it('gives up what does not end, even if it does not listen, and begins nothing beyond eight', async () => {
    const { breaker } = open(20);
    const hanging = Array.from({ length: 8 }, () => breaker.run(() => new Promise(() => undefined)));
    expect(breaker.problem()).toBe('it is busy');
    const ended = await Promise.allSettled(hanging);
    expect(ended.every(({ status }) => status === 'rejected')).toBe(true);
    expect(breaker.problem()).toMatch(/timeout/);
  });

  it('when closed ends what is running', async () => {
    const { breaker } = open();
    const running = breaker.run(() => new Promise(() => undefined));
    breaker.close();
    await expect(running).rejects.toThrow();
    expect(breaker.problem()).toBeNull();
  });
});
