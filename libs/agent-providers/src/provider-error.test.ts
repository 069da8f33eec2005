import { expect, it } from 'vitest';
import { ProviderError } from './provider-error.js';

it('marks which failures are temporary', () => {
  const isRetryable = (failure: ConstructorParameters<typeof ProviderError>[0]) =>
    new ProviderError(failure, 'x').retryable;
  expect(isRetryable('rate-limited')).toBe(true);
  expect(isRetryable('overloaded')).toBe(true);
  expect(isRetryable('network')).toBe(true);
  expect(isRetryable('quota-exhausted')).toBe(false);
  expect(isRetryable('auth-invalid')).toBe(false);
  expect(isRetryable('rejected')).toBe(false);
});

it('contains the delay that the vendor asks for', () => {
  expect(new ProviderError('rate-limited', 'x', { retryAfterMs: 5000 }).retryAfterMs).toBe(5000);
  expect(new ProviderError('rate-limited', 'x').retryAfterMs).toBeNull();
});

it('is distinguishable from other errors', () => {
  expect(ProviderError.isInstance(new ProviderError('timeout', 'x'))).toBe(true);
  expect(ProviderError.isInstance(new Error('x'))).toBe(false);
});
