import type { CallUsage } from '@claude-mem/core';
import { failureInWords } from '../model/failure-of-status.js';
import { maskVendorText } from '../model/mask-vendor-text.js';
import { ProviderError, type ProviderFailure } from '../provider-error.js';
import { PROVIDER_ROWS } from '../provider-rows.js';

export type RateLimit = Readonly<Record<string, unknown>>;

export interface FailedResult {
  /** The message that ended the turn. */
  result: Readonly<Record<string, unknown>>;
  /** What the client says it was, in newer versions. */
  errorKind: string | null;
  /** The state of the person's plan, where the client told it. */
  rateLimit: RateLimit | null;
  usage: CallUsage;
  /** The model had begun to answer. */
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

/** What a turn that ended in an error means: what the client wrote, the status it saw, and the kind it names. */
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
/** When they come in the middle of an answer nobody knows what it cost. */
const CUTS: ReadonlySet<ProviderFailure> = new Set(['overloaded', 'timeout', 'network', 'bad-reply']);

const PLAN_LIMIT = /usage limit reached|hit your [^.\n]{0,40}limit|limit reached[^\n]{0,10}resets/i;
const TOO_LONG = /prompt is too long|request too large/i;
const NO_LOGIN = /not logged in|run \/login|invalid api key/i;
const NO_CONNECTION =
  /unable to connect|can't reach|connection (?:dropped|error|refused|closed)|ECONN|UND_ERR/i;
/** Nothing was sent, so nothing was charged. */
const NEVER_CONNECTED = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|check your internet/i;

/** Kinds that the client gives to statuses which mean different things. */
const COARSE: ReadonlySet<ProviderFailure> = new Set(['rejected', 'rate-limited', 'auth-invalid']);

function classify({ result, errorKind, hasBegun }: FailedResult, text: string): ProviderFailure {
  if (result['api_error'] === 'usage_limit_reached' || PLAN_LIMIT.test(text)) return 'quota-exhausted';
  if (TOO_LONG.test(text)) return 'too-long';
  if (NO_LOGIN.test(text)) return 'auth-invalid';
  if (result['api_error'] === 'connection_failed' || NO_CONNECTION.test(text)) return 'network';
  const named = errorKind === null ? undefined : KINDS[errorKind];
  const status = typeof result['api_error_status'] === 'number' ? result['api_error_status'] : null;
  if (named !== undefined && !(status !== null && COARSE.has(named))) return named;
  // an answer that began and broke off, in the words of a version that names no kinds
  return failureInWords(status, text) ?? (hasBegun ? 'network' : 'bad-reply');
}

function textOf(result: FailedResult['result']): string {
  if (typeof result['result'] === 'string') return result['result'];
  return Array.isArray(result['errors']) ? result['errors'].join('\n') : '';
}

/** Epoch milliseconds at which the person's plan allows more; null when nobody says. */
function resetOf({ rateLimit }: FailedResult, text: string): number | null {
  const seconds = rateLimit?.['status'] === 'rejected' ? rateLimit['resetsAt'] : undefined;
  if (typeof seconds === 'number') return seconds * 1000;
  const written = /limit reached\|(\d{9,11})\b/i.exec(text)?.[1];
  return written === undefined ? null : Number(written) * 1000;
}

function sentence(failure: ProviderFailure, text: string): string {
  const said = maskVendorText(text);
  return `${whatHappened(failure)}${said === '' ? '' : ` It says: "${said}"`}`;
}

function whatHappened(failure: ProviderFailure): string {
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
