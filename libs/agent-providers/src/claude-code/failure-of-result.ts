import { PROVIDER_ROWS, type CallUsage } from '@claude-mem/core';
import { failureOfText } from '../model/failure-of-status.js';
import { maskVendorText } from '../model/mask-vendor-text.js';
import { ProviderError, type ProviderFailure } from '../provider-error.js';

export type RateLimit = Readonly<Record<string, unknown>>;

export interface FailedResult {
  /** The message that ended the turn. */
  result: Readonly<Record<string, unknown>>;
  /** The error kind that newer versions report. */
  errorKind: string | null;
  /** The rate limit state of the user's plan, if the client reported it. */
  rateLimit: RateLimit | null;
  usage: CallUsage;
  /** Part of the answer had arrived. */
  hasBegun: boolean;
  /** Epoch milliseconds. */
  now: number;
}

const ROW = PROVIDER_ROWS['claude-code'];

const KINDS: Readonly<Record<string, ProviderFailure>> = {
  authentication_failed: 'auth-invalid',
  oauth_org_not_allowed: 'auth-invalid',
  account_on_hold: 'auth-invalid',
  verification_required: 'auth-invalid',
  cloud_credential_error: 'auth-invalid',
  billing_error: 'quota-exhausted',
  rate_limit: 'rate-limited',
  overloaded: 'overloaded',
  server_error: 'overloaded',
  model_not_found: 'setup-required',
  invalid_request: 'rejected',
  max_output_tokens: 'bad-reply',
};

/** Classifies a turn that ended with an error, by the text of the client, the HTTP status and the error kind. */
export function failureOfResult(failed: FailedResult): ProviderError {
  const { result, usage, hasBegun, now } = failed;
  const text = textOf(result);
  const failure = classify(failed, text);
  const resetsAt = WAITS.has(failure) ? resetOf(failed, text) : null;
  const isCut = hasBegun && CUTS.has(failure);
  const isUnsent = failure === 'network' && NEVER_CONNECTED.test(text);
  const hasCost = usage.inputTokens + usage.outputTokens > 0;
  const status = typeof result['api_error_status'] === 'number' ? result['api_error_status'] : null;
  return new ProviderError(failure, sentence(failure, text), {
    data: { provider: ROW.name, status },
    ...(resetsAt === null ? {} : { retryAfterMs: Math.max(0, resetsAt - now) }),
    ...(isCut ? { usage: null } : hasCost || isUnsent ? { usage } : {}),
  });
}

const WAITS: ReadonlySet<ProviderFailure> = new Set(['rate-limited', 'quota-exhausted']);
/** The cost of these failures is unknown when part of an answer had arrived. */
const CUTS: ReadonlySet<ProviderFailure> = new Set(['overloaded', 'timeout', 'network', 'bad-reply']);

const PLAN_LIMIT = /usage limit reached|hit your [^.\n]{0,40}limit|limit reached[^\n]{0,10}resets/i;
const TOO_LONG = /prompt is too long|request too large/i;
const NO_LOGIN = /not logged in|run \/login|invalid api key/i;
const NO_CONNECTION =
  /unable to connect|can't reach|connection (?:dropped|error|refused|closed)|ECONN|UND_ERR/i;
/** The client sent no request, so the cost is zero. */
const NEVER_CONNECTED = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|check your internet/i;

/** The client uses these kinds for several statuses with different meanings. */
const COARSE: ReadonlySet<ProviderFailure> = new Set(['rejected', 'rate-limited', 'auth-invalid']);

function classify({ result, errorKind, hasBegun }: FailedResult, text: string): ProviderFailure {
  if (result['api_error'] === 'usage_limit_reached' || PLAN_LIMIT.test(text)) return 'quota-exhausted';
  if (TOO_LONG.test(text)) return 'too-long';
  if (NO_LOGIN.test(text)) return 'auth-invalid';
  if (result['api_error'] === 'connection_failed' || NO_CONNECTION.test(text)) return 'network';
  const named = errorKind === null ? undefined : KINDS[errorKind];
  const status = typeof result['api_error_status'] === 'number' ? result['api_error_status'] : null;
  if (named !== undefined && !(status !== null && COARSE.has(named))) return named;
  // An interrupted answer, as reported by versions without error kinds.
  return failureOfText(status, text) ?? (hasBegun ? 'network' : 'bad-reply');
}

function textOf(result: FailedResult['result']): string {
  if (typeof result['result'] === 'string') return result['result'];
  return Array.isArray(result['errors']) ? result['errors'].join('\n') : '';
}

/** Epoch milliseconds at which the user's plan allows the next request. Null when it is not reported. */
function resetOf({ rateLimit }: FailedResult, text: string): number | null {
  const seconds = rateLimit?.['status'] === 'rejected' ? rateLimit['resetsAt'] : undefined;
  if (typeof seconds === 'number') return seconds * 1000;
  const written = /limit reached\|(\d{9,11})\b/i.exec(text)?.[1];
  return written === undefined ? null : Number(written) * 1000;
}

function sentence(failure: ProviderFailure, text: string): string {
  const vendorMessage = maskVendorText(text);
  return `${describeFailure(failure)}${vendorMessage === '' ? '' : ` It says: "${vendorMessage}"`}`;
}

function describeFailure(failure: ProviderFailure): string {
  const who = `The ${ROW.name} observer`;
  switch (failure) {
    case 'auth-invalid':
      return `${who} is not logged in: run "claude" once and log in with /login.`;
    case 'quota-exhausted':
      return `${who} has used up your plan or credit.`;
    case 'rate-limited':
      return `${who} was asked to wait: too many requests.`;
    case 'overloaded':
      return `${who} got no answer: the vendor is busy or broken.`;
    case 'timeout':
      return `${who} got no answer in time.`;
    case 'network':
      return `${who} has no connection, or it broke.`;
    case 'too-long':
      return `${who} was sent more than its model can read.`;
    case 'setup-required':
      return `${who} cannot use its model: check ${ROW.modelSetting}.`;
    case 'rejected':
      return `${who} was refused this request.`;
    case 'bad-reply':
      return `${who} got an answer that is none.`;
  }
}
