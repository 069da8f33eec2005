import { inspect } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { NO_USAGE } from '../../../no-usage.js';
import type { ProviderFailure } from '../../../provider-error.js';
import { createWireFake, type WireAnswer } from '../create-wire-fake.js';
import { API_KEY, openWireSetup, type WireHarness } from '../open-wire-setup.js';
import type { WireErrorKind } from '../wire-dialect.js';
import type { WireCase } from '../wire-case.js';

/** Test cases for refusals: their kind, whether a retry helps, and after how long. Refusals cost nothing. */
export const REFUSAL_CASES: readonly WireCase[] = [
  refusal('400: rejected', error(400, 'bad-request', 'messages.0: unexpected value'), 'rejected'),
  refusal(
    '400 because the request exceeds the context: too long',
    error(400, 'too-long', 'prompt is too long: 209000 tokens > 200000 maximum'),
    'too-long',
  ),
  refusal(
    '400 because the credit is used up: quota',
    error(400, 'quota', 'Your credit balance is too low to access the API. Please go to Plans & Billing.'),
    'quota-exhausted',
  ),
  refusal('401: invalid key', error(401, 'auth', 'invalid key'), 'auth-invalid'),
  {
    title: '401 that repeats the key: the error does not contain the key',
    async run(harness) {
      const { fail } = await openWireSetup(
        harness,
        error(401, 'auth', `Incorrect API key provided: ${API_KEY}. Sorry.`),
      );
      const thrown = await fail();
      expect(thrown.code).toBe('provider/auth-invalid');
      expect(inspect(thrown, { depth: 20, showHidden: true })).not.toContain(API_KEY.slice(8));
      expect(JSON.stringify([thrown.message, thrown.stack, thrown.data])).not.toContain(API_KEY.slice(8));
    },
  },
  refusal('402: quota', error(402, 'quota', 'Insufficient credits. Add more.'), 'quota-exhausted'),
  refusal('403: invalid key', error(403, 'auth', 'Request not allowed'), 'auth-invalid'),
  refusal(
    '403 because the limit of the key is reached: quota',
    error(403, 'quota', 'Key limit exceeded'),
    'quota-exhausted',
  ),
  {
    title: '404: setup required, with the name of the model setting',
    async run(harness) {
      const { fail, provider } = await openWireSetup(harness, error(404, 'not-found', 'model: nope'));
      const thrown = await fail();
      expect(thrown).toMatchObject({ code: 'provider/setup-required', retryable: false });
      expect(thrown.message).toMatch(/CLAUDE_MEM_\w+_MODEL/);
      expect(thrown.message).toContain(provider.name);
    },
  },
  {
    title: '307 to another address: setup required, and sends nothing to that address',
    async run(harness) {
      const elsewhere = await createWireFake({
        dialect: harness.dialect,
        answer: () => ({ kind: 'reply', text: 'stolen' }),
      });
      onTestFinished(() => elsewhere[Symbol.asyncDispose]());
      const { fail, fake } = await openWireSetup(harness, (request) => ({
        kind: 'raw',
        status: 307,
        headers: { location: `${elsewhere.url}${request.path}` },
        body: '',
      }));
      const thrown = await fail();
      expect(thrown).toMatchObject({ code: 'provider/setup-required', usage: NO_USAGE });
      expect(thrown.message).toMatch(/elsewhere.*CLAUDE_MEM_\w+_BASE_URL/);
      expect(fake.requests).toHaveLength(1);
      expect(elsewhere.requests).toHaveLength(0);
    },
  },
  refusal('408: timeout', error(408, 'overloaded', 'Request timeout'), 'timeout', { usage: null }),
  refusal('413: too long', error(413, 'too-long', 'Request exceeds the maximum size'), 'too-long'),
  refusal(
    '429 with Retry-After in seconds: rate limited until then',
    { ...error(429, 'rate-limit', 'Too many requests'), retryAfterSeconds: 2 },
    'rate-limited',
    { retryAfterMs: 2_000 },
  ),
  {
    title: '429 with a date in Retry-After: rate limited until then',
    async run(harness) {
      let date = '';
      const { clock, fail } = await openWireSetup(harness, () => ({
        ...error(429, 'rate-limit', 'Too many requests'),
        headers: { 'retry-after': date },
      }));
      date = new Date(clock.now() + 90_000).toUTCString();
      expect(await fail()).toMatchObject({
        code: 'provider/rate-limited',
        retryable: true,
        retryAfterMs: 90_000,
      });
    },
  },
  refusal(
    '429 without Retry-After: rate limited',
    error(429, 'rate-limit', 'Too many requests'),
    'rate-limited',
    {
      retryAfterMs: null,
    },
  ),
  refusal(
    '429 because the quota is used up: quota',
    error(429, 'quota', 'You exceeded your current quota, please check your plan and billing details.'),
    'quota-exhausted',
  ),
  refusal('500: overloaded', error(500, 'overloaded', 'Internal server error'), 'overloaded'),
  refusal('502 with a web page: overloaded', { kind: 'html', status: 502 }, 'overloaded'),
  refusal('503: overloaded', error(503, 'overloaded', 'Service unavailable'), 'overloaded'),
  refusal('529 with a web page: overloaded', { kind: 'html', status: 529 }, 'overloaded'),
  {
    title: 'refusal of the model or a filter: rejected',
    async run(harness) {
      const usage = { inputTokens: 30, cachedTokens: 0, outputTokens: 2 };
      const { fail } = await openWireSetup(harness, {
        kind: 'reply',
        text: 'I cannot',
        stop: 'refusal',
        usage,
      });
      expect(await fail()).toMatchObject({ code: 'provider/rejected', retryable: false });
    },
  },
];

const RETRYABLE: ReadonlySet<ProviderFailure> = new Set(['rate-limited', 'overloaded', 'timeout']);

function refusal(title: string, answer: WireAnswer, failure: ProviderFailure, more: object = {}): WireCase {
  const run = async (harness: WireHarness) => {
    const { fail } = await openWireSetup(harness, answer);
    const thrown = await fail();
    expect(thrown).toMatchObject({
      code: `provider/${failure}`,
      retryable: RETRYABLE.has(failure),
      usage: NO_USAGE,
      ...more,
    });
    expect(thrown.message).not.toMatch(/<[a-z!]|\n/i);
  };
  return { title, run };
}

function error(status: number, errorKind: WireErrorKind, message: string) {
  return { kind: 'error', status, errorKind, message } as const;
}
