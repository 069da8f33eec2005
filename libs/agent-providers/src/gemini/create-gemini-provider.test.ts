import { createObserverBatch } from '@claude-mem/core/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { ObserverReply } from '../agent-provider.js';
import { MAX_REPLY_TOKENS } from '../model/reply-limits.js';
import { ProviderError } from '../provider-error.js';
import {
  createWireFake,
  describeProviderOnTheWire,
  geminiDialect,
  type WireAnswer,
  type WireRequest,
} from '../testing/index.js';
import { createGeminiProvider, type GeminiProviderOptions } from './create-gemini-provider.js';

const KEY = 'AIzaSy0123456789abcdefghijklmnop';

describeProviderOnTheWire('gemini', {
  dialect: geminiDialect,
  open: createGeminiProvider,
  excludedCases: {
    '429 with a date in Retry-After: rate limited until then':
      'the vendor sends the time in the body, and its package does not expose headers',
  },
});

it.each(['', '/', '/v1beta', '/v1beta/'])(
  'sends requests to the vendor when the address ends in "%s"',
  async (end) => {
    const { fake, send } = await open({ kind: 'reply', text: 'x' }, (url) => ({ baseUrl: `${url}${end}` }));
    await send();
    expect(fake.requests[0]?.path).toBe('/v1beta/models/gemini-2.5-flash-lite:streamGenerateContent?alt=sse');
  },
);

it('sends the key only in a header, and puts no address into an error message', async () => {
  const { fake, fail } = await open({ kind: 'error', status: 500, errorKind: 'overloaded' });
  const error = await fail();
  expect(fake.requests[0]?.path).not.toContain(KEY);
  expect(fake.requests[0]?.headers['x-goog-api-key']).toBe(KEY);
  expect(error.message).not.toContain('http');
});

it.each([
  ['gemini-2.5-flash-lite', { thinkingBudget: 0 }, 1],
  ['gemini-2.5-flash', { thinkingBudget: 0 }, 1],
  ['gemini-2.5-pro', { thinkingBudget: 128 }, 4],
  ['models/gemini-3.5-flash-lite', { thinkingLevel: 'MINIMAL' }, 4],
  ['gemini-3.8-flash', { thinkingLevel: 'LOW' }, 4],
  ['gemini-10-pro', { thinkingLevel: 'LOW' }, 4],
  ['gemini-2.0-flash', undefined, 4],
  ['gemini-flash-latest', undefined, 4],
  ['gemma-4-31b-it', undefined, 4],
])(
  'requests the smallest thinking budget of %s, with room for it in the output limit',
  async (model, thinkingConfig, room) => {
    const { fake, send } = await open({ kind: 'reply', text: 'x' }, () => ({ model }));
    await send();
    expect(configOf(fake.requests[0])).toEqual({
      maxOutputTokens: room * MAX_REPLY_TOKENS,
      ...(thinkingConfig && { thinkingConfig }),
    });
  },
);

it('repeats the request without the thinking setting when the model refuses it, and omits it from then on', async () => {
  const message = 'Budget 0 is invalid. This model only works in thinking mode.';
  const { fake, send } = await open((request) =>
    'thinkingConfig' in configOf(request)
      ? { kind: 'error', status: 400, errorKind: 'bad-request', message }
      : { kind: 'reply', text: 'x' },
  );
  await send();
  await send();
  expect(fake.requests.map((request) => 'thinkingConfig' in configOf(request))).toEqual([true, false, false]);
});

it('counts thinking as paid output, and removes it from the reply', async () => {
  const { send } = await open(
    stream(
      { candidates: [{ content: { parts: [{ text: 'hm', thought: true }] } }] },
      {
        candidates: [{ content: { parts: [{ text: 'good' }] }, finishReason: 'STOP' }],
        usageMetadata: {
          promptTokenCount: 1000,
          cachedContentTokenCount: 600,
          candidatesTokenCount: 10,
          thoughtsTokenCount: 90,
        },
        modelVersion: 'gemini-2.5-flash-lite-001',
      },
    ),
  );
  expect(await send()).toMatchObject({
    text: 'good',
    model: 'gemini-2.5-flash-lite-001',
    usage: { inputTokens: 1000, cachedTokens: 600, outputTokens: 100, estimatedCostUsd: 0.000086 },
  });
});

it('estimates the usage when the vendor reports none', async () => {
  const { send } = await open(stream(reply('good', { finishReason: 'STOP' })));
  expect((await send()).usage).toMatchObject({ inputTokens: 9, outputTokens: 1 });
});

it('reads the first of several candidates, and prints nothing to the console', async () => {
  const warn = vi.spyOn(console, 'warn');
  onTestFinished(() => warn.mockRestore());
  const [one] = reply('one', { finishReason: 'STOP' }).candidates;
  const [two] = reply('two', { finishReason: 'STOP' }).candidates;
  const { send } = await open(stream({ candidates: [one, two] }));
  expect((await send()).text).toBe('one');
  expect(warn).not.toHaveBeenCalled();
});

it.each([
  ['a prompt that is blocked', stream({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }), 'rejected'],
  ['a reply that is blocked', stream(reply('a'), reply('', { finishReason: 'SAFETY' })), 'rejected'],
  ['a reply that is a quotation', stream(reply('a', { finishReason: 'RECITATION' })), 'rejected'],
  ['a reply that is all thoughts', stream(reply('', { finishReason: 'MAX_TOKENS' })), 'bad-reply'],
  ['a broken call of a tool', stream(reply('', { finishReason: 'MALFORMED_FUNCTION_CALL' })), 'bad-reply'],
  ['an error after words', stream(reply('a'), { error: { code: 503, message: 'overloaded' } }), 'overloaded'],
  ['an error without a prefix', raw('{"error":{"code":500}}', 'text/event-stream'), 'bad-reply'],
] as const)('reports the failure of %s', async (_, answer, failure) => {
  const { fail } = await open(answer);
  expect((await fail()).code).toBe(`provider/${failure}`);
});

it('reports auth-invalid when a 400 response says that the key is invalid', async () => {
  const { fail } = await open({
    kind: 'error',
    status: 400,
    errorKind: 'auth',
    message: 'API key not valid. Please pass a valid API key.',
  });
  const error = await fail();
  expect(error.code).toBe('provider/auth-invalid');
  expect(error.message).toContain('CLAUDE_MEM_GEMINI_API_KEY');
  expect(error.message).toContain('It says: "API key not valid. Please pass a valid API key."');
});

const QUOTA =
  'You exceeded your current quota, please check your plan and billing details. * Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 20\nPlease retry in 17.5s.';

it('reports rate-limited with the time of the vendor when the quota of a minute is used up', async () => {
  const { fail } = await open({
    kind: 'error',
    status: 429,
    errorKind: 'rate-limit',
    message: QUOTA,
    retryAfterSeconds: 17,
  });
  expect(await fail()).toMatchObject({ code: 'provider/rate-limited', retryAfterMs: 17_000 });
});

it('reports quota-exhausted when the quota of a day is used up, even when the vendor names a time', async () => {
  const { fail } = await open({
    kind: 'error',
    status: 429,
    errorKind: 'quota',
    message: QUOTA,
    retryAfterSeconds: 17,
  });
  expect(await fail()).toMatchObject({ code: 'provider/quota-exhausted', retryAfterMs: null });
});

it.each([
  [{ apiKey: ' ' }, 'setup-required', 'claude-mem settings set CLAUDE_MEM_GEMINI_API_KEY'],
  [{ apiKey: 'AIza-secret\nkey' }, 'auth-invalid', 'claude-mem settings set CLAUDE_MEM_GEMINI_API_KEY'],
  [{ baseUrl: 'nowhere' }, 'setup-required', 'CLAUDE_MEM_GEMINI_BASE_URL'],
  [{ baseUrl: 'http://me:secret@127.0.0.1' }, 'setup-required', 'CLAUDE_MEM_GEMINI_BASE_URL'],
  [
    { loadSdk: () => import('no-such-package' as '@google/generative-ai') },
    'setup-required',
    'run "npm install @google/generative-ai"',
  ],
])('names the missing setting and the fix without sending a request: %o', async (options, failure, words) => {
  const { fake, fail } = await open({ kind: 'reply', text: 'x' }, () => options);
  const error = await fail();
  expect(error.code).toBe(`provider/${failure}`);
  expect(error.message).toContain(words);
  expect(error.message).not.toContain('secret');
  expect(fake.requests).toHaveLength(0);
});

async function open(
  answer: WireAnswer | ((request: WireRequest) => WireAnswer),
  options: (url: string) => Partial<GeminiProviderOptions> = () => ({}),
) {
  const fake = await createWireFake({
    dialect: geminiDialect,
    answer: typeof answer === 'function' ? answer : () => answer,
  });
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const provider = createGeminiProvider({ baseUrl: fake.url, apiKey: KEY, ...options(fake.url) });
  const send = async () => {
    await using conversation = await provider.startConversation();
    return (await conversation.send({
      instructions: 'Remember.',
      prompt: 'The cart has a total.',
      batch: createObserverBatch(),
    })) as ObserverReply & { kind: 'text' };
  };
  const fail = async () => {
    const error = await send().catch((thrown: unknown) => thrown);
    if (!ProviderError.isInstance(error)) throw new Error('it did not fail as it should', { cause: error });
    return error;
  };
  return { fake, send, fail };
}

function configOf(request: WireRequest | undefined): object {
  return (request?.body as { generationConfig: object }).generationConfig;
}

function reply(text: string, more: object = {}) {
  return { candidates: [{ content: { role: 'model', parts: [{ text }] }, ...more }] };
}

function stream(...chunks: unknown[]) {
  return raw(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join(''), 'text/event-stream');
}

function raw(body: string, type: string) {
  return { kind: 'raw', status: 200, headers: { 'content-type': type }, body } as const;
}
