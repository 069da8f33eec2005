import { ClaudeMemError } from '@claude-mem/core';
import { expect, it } from 'vitest';
import { resolveQueueOptions } from './queue-options.js';

it('increases the wait after each failure from about 2 to 8 to 32 seconds, with a maximum of six minutes', () => {
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

it('uses no backoff when the backoff is not a number', () => {
  expect(resolveQueueOptions({ backoffMs: () => NaN }).backoffMs(1)).toBe(0);
});

it('rejects invalid options', () => {
  for (const options of [{ concurrency: 0 }, { maxCount: NaN }, { idleFlushMs: -1 }, { leaseMs: 0 }])
    expect(() => resolveQueueOptions(options)).toThrow(
      expect.objectContaining({ code: 'queue/invalid-option' }),
    );
});

it('maps storage errors to provider failures and others to message failures', () => {
  const { failureOf } = resolveQueueOptions({});
  expect(failureOf(new ClaudeMemError('storage/busy', 'busy'))).toMatchObject({
    scope: 'provider',
    message: 'busy',
  });
  expect(failureOf('odd')).toEqual({ message: 'odd', retryable: true, scope: 'message' });
});
