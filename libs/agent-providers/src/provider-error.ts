import { ClaudeMemError, type CallUsage } from '@claude-mem/core';
import { NO_USAGE } from './no-usage.js';

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
  'too-long',
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

/** After these nobody knows whether the vendor charged the call. All others are refusals. */
const MAY_HAVE_COST: ReadonlySet<ProviderFailure> = new Set(['timeout', 'network', 'bad-reply']);

export interface ProviderErrorOptions {
  cause?: unknown;
  data?: Readonly<Record<string, unknown>>;
  /** What the vendor asked to wait. */
  retryAfterMs?: number;
  /** What the failed call cost; null when nobody knows. @default by the kind of failure: a refusal costs nothing */
  usage?: CallUsage | null;
  /** The failure was the text of an answer that the vendor reported as a success. @default false */
  isReplyText?: boolean;
}

/** Callers obey `retryable` and `retryAfterMs` and never classify again. */
export class ProviderError extends ClaudeMemError<ProviderErrorCode> {
  /** Whether the same request may succeed later without anybody doing anything. */
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  /** What the call cost; null when nobody knows, such as after a cut in the middle of the reply. */
  readonly usage: CallUsage | null;
  /** The failure was the text of an answer that the vendor reported as a success, so no status code names the cause. */
  readonly isReplyText: boolean;

  constructor(failure: ProviderFailure, message: string, options: ProviderErrorOptions = {}) {
    super(`provider/${failure}`, message, options);
    this.retryable = RETRYABLE.has(failure);
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.isReplyText = options.isReplyText ?? false;
    this.usage = options.usage === undefined ? (MAY_HAVE_COST.has(failure) ? null : NO_USAGE) : options.usage;
  }

  static override isInstance(value: unknown): value is ProviderError {
    return ClaudeMemError.isInstance(value) && value.code.startsWith('provider/');
  }
}
