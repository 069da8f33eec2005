import { ClaudeMemError, type CallUsage } from '@claude-mem/core';
import { NO_USAGE } from './no-usage.js';

/** The kinds of provider failures. A failure is classified once, where it occurs. */
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

/** After these failures it is unknown whether the vendor charged the call. All others are refusals. */
const MAY_HAVE_COST: ReadonlySet<ProviderFailure> = new Set(['timeout', 'network', 'bad-reply']);

export interface ProviderErrorOptions {
  cause?: unknown;
  data?: Readonly<Record<string, unknown>>;
  /** Milliseconds that the vendor asks to wait. */
  retryAfterMs?: number;
  /** The cost of the failed call. Null when unknown. @default by the kind of failure: a refusal costs nothing */
  usage?: CallUsage | null;
  /** The failure was the text of an answer with a success status. @default false */
  isReplyText?: boolean;
}

/** A failed call. Callers use `retryable` and `retryAfterMs` and do not classify it again. */
export class ProviderError extends ClaudeMemError<ProviderErrorCode> {
  /** Whether the same request may succeed later without a change by the user. */
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  /** The cost of the call. Null when unknown, for example after a connection broke in the middle of the reply. */
  readonly usage: CallUsage | null;
  /** The failure was the text of an answer with a success status, so no status identifies the cause. */
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
