export interface RetryAfterHints {
  headers?: Pick<Headers, 'get'> | undefined;
  /** The text of the vendor. */
  text?: string;
  /** Epoch milliseconds. */
  now: number;
}

const DAY_MS = 86_400_000;
/** A longer delay than a week is treated as an error of the vendor. */
const MAX_MS = 7 * DAY_MS;

/** Returns the delay that the vendor asks for, in milliseconds, from headers or text. Null when there is none. */
export function readRetryAfter({ headers, text = '', now }: RetryAfterHints): number | null {
  const header = (name: string) => headers?.get(name)?.trim() || null;
  const hints = [
    () => milliseconds(header('retry-after-ms')),
    () => secondsOrDate(header('retry-after'), now),
    () => fromText(text),
    ...RESET_HEADERS.map((name) => () => reset(header(name), now)),
  ];
  for (const hint of hints) {
    const ms = hint();
    if (ms !== null && Number.isFinite(ms)) return Math.min(Math.max(0, Math.ceil(ms)), MAX_MS);
  }
  return null;
}

const RESET_HEADERS = [
  'x-ratelimit-reset',
  'x-ratelimit-reset-requests',
  'x-ratelimit-reset-tokens',
  'anthropic-ratelimit-unified-reset',
  'anthropic-ratelimit-requests-reset',
  'anthropic-ratelimit-tokens-reset',
  'ratelimit-reset',
];

const NUMBER = /^\d+(?:\.\d+)?$/;

const milliseconds = (value: string | null) => (value && NUMBER.test(value) ? Number(value) : null);

function secondsOrDate(value: string | null, now: number): number | null {
  if (!value) return null;
  if (NUMBER.test(value)) return Number(value) * 1000;
  return until(value, now);
}

/** A complete time of day in HTTP or ISO format. A past time means now. */
function until(value: string, now: number): number | null {
  const at = /[a-z]/i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** Epoch seconds or milliseconds, seconds from now, a duration such as `6m0s`, or a date. */
function reset(value: string | null, now: number): number | null {
  if (!value) return null;
  if (NUMBER.test(value)) {
    const number = Number(value);
    if (number > 1e11) return Math.max(0, number - now);
    if (number > 1e9) return Math.max(0, number * 1000 - now);
    return number * 1000;
  }
  return spanOf(value) ?? until(value, now);
}

/** Texts such as `"retryDelay": "17s"`, `Please retry in 17.5s`, `try again in 6m0s` and `in 20 seconds`. */
function fromText(text: string): number | null {
  const delay = /retryDelay"?\s*:\s*"?([\d.]+m?s)\b/.exec(text)?.[1];
  const prose =
    /\b(?:re-?try|try again|available again)\b[^.\n]{0,30}?\b(?:in|after)\s+((?:\d[\d.]*\s*[a-z]+\s*)+)/i.exec(
      text,
    )?.[1];
  const found = delay ?? prose;
  return found === undefined ? null : spanOf(found);
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS };

function spanOf(text: string): number | null {
  let total = 0;
  let isSpan = false;
  for (const [, amount, word] of text.matchAll(/(\d{1,15}(?:\.\d{1,15})?)\s*([a-z]+)/gi)) {
    const unit = unitOf(String(word).toLowerCase());
    if (unit === null) break;
    total += Number(amount) * unit;
    isSpan = true;
  }
  return isSpan ? total : null;
}

function unitOf(word: string): number | null {
  const exact = UNIT_MS[word];
  if (exact !== undefined) return exact;
  const long = /^(milli|sec|min|hour|hr|day)/.exec(word)?.[1];
  if (long === undefined) return null;
  return { milli: 1, sec: 1000, min: 60_000, hour: 3_600_000, hr: 3_600_000, day: DAY_MS }[long] ?? null;
}
