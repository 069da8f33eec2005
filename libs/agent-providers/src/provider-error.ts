import { ClaudeMemError } from '@claude-mem/core';

/** What can go wrong with a provider, classified once, where it arises. */
export const PROVIDER_FAILURES = [
  'rate-limited',
  'quota-exhausted',
  'auth-invalid',
  'setup-required',
  'overloaded',
  'timeout',
  'network',
  'bad-reply',
  'rejected',
] as const;
export type ProviderFailure = (typeof PROVIDER_FAILURES)[number];
export type ProviderErrorCode = `provider/${ProviderFailure}`;

const RETRYABLE: ReadonlySet<ProviderFailure> = new Set([
  'rate-limited',
  'overloaded',
  'timeout',
  'network',
  'bad-reply',
]);

export interface ProviderErrorOptions {
  cause?: unknown;
  data?: Readonly<Record<string, unknown>>;
  /** What the vendor asked to wait. */
  retryAfterMs?: number;
}

/** Callers obey `retryable` and `retryAfterMs` and never classify again. */
export class ProviderError extends ClaudeMemError<ProviderErrorCode> {
  /** Whether the same request may succeed later without anybody doing anything. */
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;

  constructor(failure: ProviderFailure, message: string, options: ProviderErrorOptions = {}) {
    super(`provider/${failure}`, message, options);
    this.retryable = RETRYABLE.has(failure);
    this.retryAfterMs = options.retryAfterMs ?? null;
  }

  static override isInstance(value: unknown): value is ProviderError {
    return ClaudeMemError.isInstance(value) && value.code.startsWith('provider/');
  }
}
