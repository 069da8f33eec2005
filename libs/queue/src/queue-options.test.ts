import { ClaudeMemError } from '@claude-mem/core';
import { expect, it } from 'vitest';
import { resolveQueueOptions } from './queue-options.js';

it('waits longer after each failure, about 2, 8, 32 seconds, never more than six minutes', () => {
  const { backoffMs } = resolveQueueOptions({});
  for (const [attempt, expected] of [
    [1, 2_000],
    [2, 8_000],
    [3, 32_000],
    [50, 300_000],
  ] as const) {
    expect(backoffMs(attempt)).toBeGreaterThanOrEqual(expected * 0.8);
    expect(backoffMs(attempt)).toBeLessThanOrEqual(expected * 1.2);
  }
});

it('takes a backoff that is not a number as none', () => {
  expect(resolveQueueOptions({ backoffMs: () => NaN }).backoffMs(1)).toBe(0);
});

it('refuses options that cannot work', () => {
  for (const options of [{ concurrency: 0 }, { maxCount: NaN }, { idleFlushMs: -1 }, { leaseMs: 0 }])
    expect(() => resolveQueueOptions(options)).toThrow(
      expect.objectContaining({ code: 'queue/invalid-option' }),
    );
});

it('takes errors of the storage for its own fault, and others for the batch’s', () => {
  const { failureOf } = resolveQueueOptions({});
  expect(failureOf(new ClaudeMemError('storage/busy', 'busy'))).toMatchObject({
    scope: 'provider',
    message: 'busy',
  });
  expect(failureOf('odd')).toEqual({ message: 'odd', retryable: true, scope: 'message' });
});
