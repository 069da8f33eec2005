import { ProviderError, type ProviderFailure } from '../provider-error.js';
import { failureOfText } from './failure-of-status.js';
import { maskVendorText } from './mask-vendor-text.js';
import { readRetryAfter } from './retry-after.js';
import { vendorText } from './vendor-text.js';

/** Failures are reported in one or two sentences. A longer text was written by a model. */
const LONGEST = 1_000;

/**
 * Returns the failure that a reply reports in plain text, such as `Invalid API key. Please run /login`. Returns null
 * for every text that a model may write, including text about failures. Call it only for replies without records.
 */
export function failureInProse(
  text: string,
  { now = Date.now() }: { now?: number } = {},
): ProviderError | null {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > LONGEST || RECORD.test(trimmed) || VERDICT.test(trimmed))
    return null;
  const failure = failureOfJson(trimmed) ?? failureOfPage(trimmed) ?? failureOfSentence(trimmed);
  if (failure === null) return null;
  const retryAfterMs = readRetryAfter({ text: trimmed, now }) ?? resetAfter(trimmed, now);
  const { message } = vendorText(trimmed);
  return new ProviderError(
    failure,
    `The observer answered with a failure instead of a memory: "${maskVendorText(message === '' ? trimmed : message)}"`,
    { isReplyText: true, ...(retryAfterMs === null ? {} : { retryAfterMs }) },
  );
}

const RECORD = /<\s*\/?\s*(?:observation|summary|skip_summary)\b/i;
/** Phrases with which a model reports that there is nothing to record. */
const VERDICT =
  /\b(?:nothing|no(?:thing)? new|no (?:observations?|records?|memor(?:y|ies)|changes?))\b[^.\n]{0,40}\b(?:record|remember|store|note|save|report|made|worth|here|needed|to )|\bnot worth\b/i;

/** `{"type":"error",…}` or `{"error":…}`, alone or after a prefix such as `API Error: 529`. */
function failureOfJson(trimmed: string): ProviderFailure | null {
  const [, before, json] = /^([^{}]{0,60}?)(\{[\s\S]*\})\s*$/.exec(trimmed) ?? [];
  if (json === undefined || !/"error"\s*:/.test(json)) return null;
  return failureOfText(statusIn(before ?? ''), vendorText(json).all);
}

/** A web page of a proxy or gateway. */
function failureOfPage(trimmed: string): ProviderFailure | null {
  if (!/^\s*<(?:!doctype html|html)\b/i.test(trimmed)) return null;
  const status = /\b[45]\d\d\b/.exec(vendorText(trimmed).message)?.[0];
  return status === undefined ? 'bad-reply' : failureOfText(Number(status), '');
}

function failureOfSentence(trimmed: string): ProviderFailure | null {
  const sentence = trimmed.replace(LEAD, '');
  const status = statusIn(trimmed);
  for (const [failure, words] of SENTENCES) if (startsWith(sentence, words)) return failure;
  if (status !== null) return failureOfText(status, trimmed);
  return null;
}

/** `API Error: 529 …` and similar texts. Other numbers have no meaning. */
function statusIn(text: string): number | null {
  const status = /^\W{0,3}(?:(?:API|HTTP)\s*)?(?:error|status)(?: code)?[\s:(]*\b([45]\d\d)\b/i.exec(
    text,
  )?.[1];
  return status === undefined ? null : Number(status);
}

/** Prefixes that programs write before the reason. */
const LEAD =
  /^(?:[\s"'`[(*>\u26a0\u274c\u2717·•-]|\ufe0f|(?:api |fatal |http |execution |provider |request )?error\b[\s:]*|(?:failed|failure)\s*:|sorry,?\s|claude(?: code| ai)?\b(?=\s*:)|(?:repeated )?\d{3}\s*[:\]]?\s|:)+/iu;

/** The sentence is the failure itself: it continues with punctuation or a known ending, not with more prose. */
function startsWith(sentence: string, words: RegExp): boolean {
  const found = words.exec(sentence);
  if (found?.index !== 0) return false;
  return /^\s*(?:$|[.·•∙|:;,!?()[\]\n—–-])/u.test(sentence.slice(found[0].length));
}

const SENTENCES: readonly (readonly [ProviderFailure, RegExp])[] = [
  [
    'auth-invalid',
    /(?:your |the )?(?:invalid (?:x-)?api[- ]key(?: provided)?|incorrect api key provided|(?:anthropic |openai )?api key (?:is )?(?:not valid|invalid|missing|expired|not found|(?:has been |was )?(?:revoked|disabled))|(?:you are |you're )?not logged in|please run \/?(?:`?claude )?\/?login|please log ?in|(?:oauth |access |auth )?token (?:has |is )?(?:been )?(?:expired|revoked|invalid)|failed to authenticate|authentication (?:failed|error|required)|unauthori[sz]ed|no auth credentials found|invalid (?:authentication )?credentials|login (?:expired|required)|session expired|user not found|access denied|forbidden|(?:this|your) organization (?:has been disabled|does not have access[^.\n]{0,60}))/i,
  ],
  [
    'too-long',
    /(?:the |your )?(?:(?:prompt|input|request|conversation|context)(?: length)? (?:is |was )?(?:too (?:long|large)(?: for (?:the )?requested model)?|exceeds the (?:maximum|context|limit)[^.\n]{0,60})|(?:this )?(?:model's )?(?:maximum )?context (?:length|window|limit)(?: (?:is )?(?:reached|exceeded|full)| is [^.\n]{0,80})|(?:the )?(?:input|prompt|request(?:ed)?|context) ?(?:tokens?|token count|size|length)?(?: \([^)\n]{0,40}\))? (?:has been exceeded|exceeds? the (?:configured|available|maximum|model's)[^.\n]{0,80})|please reduce the length of the (?:messages|prompt)[^.\n]{0,30}|request too large|input length and `?max_tokens`? exceed context limit[^.\n]{0,60})/i,
  ],
  [
    'quota-exhausted',
    /(?:(?:your |the )?(?:credit balance (?:is )?too low[^.\n]{0,60}|insufficient (?:credits?|quota|balance|funds)|(?:claude (?:ai |code |pro |max )?)?(?:\d+-?\s?hour |weekly |daily |monthly |session |opus |sonnet )?(?:usage )?limit (?:has been )?reached|(?:usage|spend(?:ing)?|quota) (?:limit|cap) (?:reached|exceeded)|key limit (?:reached|exceeded)|quota (?:exceeded|exhausted))|you(?:'ve|’ve| have)? (?:hit|reached|exceeded|used up) your [^.\n·|]{0,40}?(?:limit|quota|allowance)|you(?:'re|’re| are) out of (?:extra )?(?:usage|credits?)|out of (?:extra usage|credits?)|payment required|billing[^.\n]{0,30}(?:required|not active|disabled))/i,
  ],
  [
    'rate-limited',
    /(?:too many (?:requests|tokens)|this request would exceed your [^.\n]{0,40}rate limit|(?:api |request )?rate[- ]limit(?:ed| exceeded| reached| error)?(?:[^.\n]{0,10}try again[^.\n]{0,40})?|you (?:are|have) being rate[- ]limited|rate_limit_error)/i,
  ],
  [
    'overloaded',
    /(?:overloaded(?:_error| errors?)?|(?:the )?(?:service|server|model|api|engine) (?:is )?(?:temporarily |currently )?(?:overloaded|unavailable|busy|at capacity|loading)|internal (?:server )?error(?: encountered)?|an error occurred while processing your request|provider returned error|upstream (?:connect )?error[^\n]{0,160}|bad gateway|service (?:temporarily )?unavailable|gateway time-?out)/i,
  ],
  ['timeout', /(?:the )?(?:request|connection|api) (?:has )?timed out/i],
  [
    'network',
    /(?:connection (?:error|refused|reset|closed|failed)|(?:unable|failed) to connect(?: to [^.\n(]{1,40})?|fetch failed|network error|(?:connect |getaddrinfo |read )?E(?:CONNREFUSED|CONNRESET|NOTFOUND|TIMEDOUT|AI_AGAIN)[^.\n]{0,60}|socket hang up|check your (?:internet|network)[^.\n]{0,30})/i,
  ],
  [
    'setup-required',
    /(?:there(?:'s|’s| is) an issue with the selected model[^\n]{0,80}|(?:the )?model[^.\n]{0,60}(?:not found|does not exist|may not exist)[^.\n]{0,40}|no such model[^.\n]{0,40}|invalid model(?: name)?|no endpoints found[^\n]{0,80}|no models? loaded|page not found|model requires more system memory[^.\n]{0,60})/i,
  ],
];

/** `…limit reached|1767225600` contains the epoch seconds at which the limit ends. */
function resetAfter(trimmed: string, now: number): number | null {
  const epoch = /\|(\d{10})(\d{3})?\b/.exec(trimmed);
  return epoch ? Math.max(0, Number(epoch[1]) * 1000 - now) : null;
}
