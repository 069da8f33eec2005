import { ProviderError, type ProviderFailure } from '../provider-error.js';
import type { ProviderRow } from '../provider-rows.js';
import { maskVendorText } from './mask-vendor-text.js';
import { readRetryAfter } from './retry-after.js';
import { vendorWords } from './vendor-words.js';

export interface VendorAnswer {
  /** Who answered. */
  row: ProviderRow;
  /** HTTP status; null when the failure came inside a stream that began well. */
  status: number | null;
  /** The body, or what the vendor's package made of it. Need not be JSON. */
  text: string;
  headers?: Pick<Headers, 'get'> | undefined;
  /** Epoch milliseconds. */
  now: number;
  /** What must not be shown. */
  secrets: readonly string[];
  /** Null where a part of the reply may have been charged before it. @default a refusal costs nothing; unknown without a status */
  usage?: null | undefined;
}

/** What a vendor's refusal means. The only place where statuses are judged. */
export function failureOfStatus(answer: VendorAnswer): ProviderError {
  const { row, status, text, headers, now, secrets, usage } = answer;
  const words = vendorWords(text);
  const failure = failureInWords(status, words.all) ?? 'overloaded';
  const said = maskVendorText(words.message, secrets);
  const retryAfterMs = MAY_WAIT.has(failure) ? readRetryAfter({ headers, text, now }) : null;
  const requestId = headers?.get('request-id') ?? headers?.get('x-request-id') ?? null;
  return new ProviderError(
    failure,
    `${sentenceFor(failure, row, status)}${said === '' ? '' : ` It says: "${said}"`}`,
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

/** What a status and the vendor's words mean; null when there is no status and the words say nothing. */
export function failureInWords(status: number | null, words: string): ProviderFailure | null {
  if (status === null) return kindInWords(words);
  switch (status) {
    case 400:
    case 422: {
      const kind = kindInWords(words);
      return kind === 'too-long' || kind === 'quota-exhausted' || kind === 'auth-invalid' ? kind : 'rejected';
    }
    case 401:
      return 'auth-invalid';
    case 402:
      return 'quota-exhausted';
    case 403:
      return QUOTA.test(words) || /\blimit\b/i.test(words) ? 'quota-exhausted' : 'auth-invalid';
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
      return isForGood(words) ? 'quota-exhausted' : 'rate-limited';
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

/** What the words say where the status says nothing, or too little. */
function kindInWords(words: string): ProviderFailure | null {
  if (TOO_LONG.test(words)) return 'too-long';
  if (AUTH.test(words)) return 'auth-invalid';
  if (/insufficient_quota|credit balance|billing|insufficient (?:credits?|funds|balance)/i.test(words))
    return 'quota-exhausted';
  if (RATE.test(words)) return isForGood(words) ? 'quota-exhausted' : 'rate-limited';
  if (OVERLOADED.test(words)) return 'overloaded';
  if (/invalid_request|INVALID_ARGUMENT/i.test(words)) return 'rejected';
  return null;
}

/**
 * A 429 means wait, unless it says that nothing is left: credits, a balance, a plan's quota or a day's free calls.
 * Gemini calls its limits per minute a quota too.
 */
function isForGood(words: string): boolean {
  if (MONEY.test(words) || LONG_SPAN.test(words)) return true;
  return (
    !SHORT_SPAN.test(words) &&
    /exceeded your current quota|usage limit|quota[^.\n]{0,20}exhausted/i.test(words)
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
