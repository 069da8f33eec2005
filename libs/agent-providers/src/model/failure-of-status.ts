import type { ProviderRow } from '@claude-mem/core';
import { ProviderError, type ProviderFailure } from '../provider-error.js';
import { maskVendorText } from './mask-vendor-text.js';
import { readRetryAfter } from './retry-after.js';
import { vendorText } from './vendor-text.js';

export interface VendorAnswer {
  /** The name of the vendor for the message. */
  row: ProviderRow;
  /** HTTP status. Null when the failure came inside a stream with status 200. */
  status: number | null;
  /** The response body, or the text that the SDK made of it. It need not be JSON. */
  text: string;
  headers?: Pick<Headers, 'get'> | undefined;
  /** Epoch milliseconds. */
  now: number;
  /** A secret to remove from the message. */
  secrets: readonly string[];
  /** Null when a part of the reply may have been charged. @default a refusal costs nothing; unknown without a status */
  usage?: null | undefined;
}

/** Classifies a refusal of a vendor. All HTTP statuses are interpreted here. */
export function failureOfStatus(answer: VendorAnswer): ProviderError {
  const { row, status, text, headers, now, secrets, usage } = answer;
  const vendor = vendorText(text);
  const failure = failureOfText(status, vendor.all) ?? 'overloaded';
  const vendorMessage = maskVendorText(vendor.message, secrets);
  const retryAfterMs = MAY_WAIT.has(failure) ? readRetryAfter({ headers, text, now }) : null;
  const requestId = headers?.get('request-id') ?? headers?.get('x-request-id') ?? null;
  return new ProviderError(
    failure,
    `${sentenceFor(failure, row, status)}${vendorMessage === '' ? '' : ` It says: "${vendorMessage}"`}`,
    {
      data: { provider: row.name, status, ...(requestId === null ? {} : { requestId }) },
      ...(retryAfterMs === null ? {} : { retryAfterMs }),
      ...(status === null ? { usage: null } : {}),
      ...(usage === undefined ? {} : { usage }),
    },
  );
}

const MAY_WAIT: ReadonlySet<ProviderFailure> = new Set([
  'rate-limited',
  'overloaded',
  'quota-exhausted',
  'timeout',
]);

/** Classifies by the status and the vendor's text. Returns null when there is no status and the text is unknown. */
export function failureOfText(status: number | null, text: string): ProviderFailure | null {
  if (status === null) return kindOfText(text);
  switch (status) {
    case 400:
    case 422: {
      const kind = kindOfText(text);
      return kind === 'too-long' || kind === 'quota-exhausted' || kind === 'auth-invalid' ? kind : 'rejected';
    }
    case 401:
      return 'auth-invalid';
    case 402:
      return 'quota-exhausted';
    case 403:
      return QUOTA.test(text) || /\blimit\b/i.test(text) ? 'quota-exhausted' : 'auth-invalid';
    case 301:
    case 302:
    case 303:
    case 307:
    case 308:
    case 404:
      return 'setup-required';
    case 408:
      return 'timeout';
    case 413:
      return 'too-long';
    case 429:
      return isPermanent(text) ? 'quota-exhausted' : 'rate-limited';
    default:
      return status >= 500 ? 'overloaded' : status >= 400 ? 'rejected' : 'bad-reply';
  }
}

const TOO_LONG =
  /context[_ ]length[_ ]exceeded|(?:prompt|input|request|conversation|messages?)\b[^.\n]{0,40}\btoo (?:long|large|many tokens)|maximum context length|exceeds? (?:the |its )?(?:model'?s? )?(?:maximum |available )?(?:context|number of tokens|input token|token limit)|exceeds the maximum (?:number of )?tokens|request_too_large|token count[^.\n]{0,60}exceeds|context window/i;
const QUOTA =
  /insufficient[_ ](?:quota|credits?|balance|funds)|credit balance|billing|\bcredits?\b|\bquota\b|spend(?:ing)?[_ ](?:limit|cap)|usage limit|payment required|limit exceeded/i;
const AUTH =
  /authentication_error|invalid[_ ](?:x-)?api[_ -]?key|api[_ ]?key[^.\n]{0,40}(?:not valid|invalid|incorrect|expired|not found)|incorrect api key|API_KEY_INVALID|unauthori[sz]ed|permission_error/i;
const RATE = /rate[_ -]?limit|too many requests|RESOURCE_EXHAUSTED/i;
const OVERLOADED = /overloaded|unavailable|internal|api_error|server_error|timeout_error/i;

/** Classifies by the text, for statuses that say too little. */
function kindOfText(text: string): ProviderFailure | null {
  if (TOO_LONG.test(text)) return 'too-long';
  if (AUTH.test(text)) return 'auth-invalid';
  if (/insufficient_quota|credit balance|billing|insufficient (?:credits?|funds|balance)/i.test(text))
    return 'quota-exhausted';
  if (RATE.test(text)) return isPermanent(text) ? 'quota-exhausted' : 'rate-limited';
  if (OVERLOADED.test(text)) return 'overloaded';
  if (/invalid_request|INVALID_ARGUMENT/i.test(text)) return 'rejected';
  return null;
}

/**
 * A 429 means "wait", unless the text reports that credits, a balance, a plan's quota or a day's free calls are used
 * up. Gemini calls its limits per minute a quota too.
 */
function isPermanent(text: string): boolean {
  if (MONEY.test(text) || LONG_SPAN.test(text)) return true;
  return (
    !SHORT_SPAN.test(text) && /exceeded your current quota|usage limit|quota[^.\n]{0,20}exhausted/i.test(text)
  );
}

const MONEY =
  /insufficient[_ ](?:quota|credits?|balance|funds)|credit balance|out of credits|spend(?:ing)?[_ ](?:limit|cap)|billing_(?:hard_limit|not_active)/i;
const LONG_SPAN = /per[ _-]?(?:day|month)|(?:daily|monthly|weekly) (?:\w+ )?(?:quota|limit)/i;
const SHORT_SPAN = /per[ _-]?(?:minute|second)|retryDelay|(?:re-?try|try again) in \d/i;

function sentenceFor(failure: ProviderFailure, row: ProviderRow, status: number | null): string {
  const who = `The ${row.name} observer`;
  const number = status === null ? '' : ` (${status})`;
  const key = row.keySetting ? `: run "claude-mem settings set ${row.keySetting}"` : '';
  switch (failure) {
    case 'auth-invalid':
      return `${who} was refused: its key is not accepted${number}${key}.`;
    case 'quota-exhausted':
      return `${who} has nothing left to spend${number}: the vendor's quota or credit is used up.`;
    case 'rate-limited':
      return `${who} was asked to wait: too many requests${number}.`;
    case 'overloaded':
      return `${who} got no answer: the vendor is busy or broken${number}.`;
    case 'timeout':
      return `${who} got no answer in time${number}.`;
    case 'too-long':
      return `${who} was sent more than its model can read${number}.`;
    case 'setup-required':
      if (status !== null && status < 400)
        return `${who} is sent elsewhere by its address${number}, and does not follow; check ${row.baseUrlSetting}.`;
      return `${who} found neither its model nor its address${number}; check ${[row.modelSetting, row.baseUrlSetting].filter(Boolean).join(' and ')}.`;
    case 'rejected':
      return `${who} was refused this request${number}.`;
    default:
      return `${who} got an answer that is none${number}.`;
  }
}
