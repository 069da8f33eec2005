import { createObserverBatch } from '@claude-mem/core/testing';
import { expect, it, onTestFinished } from 'vitest';
import type { ObserverReply } from '../agent-provider.js';
import { MAX_REPLY_TOKENS } from '../model/reply-limits.js';
import { ProviderError } from '../provider-error.js';
import {
  createWireFake,
  describeProviderOnTheWire,
  openAiDialect,
  type WireAnswer,
  type WireRequest,
} from '../testing/index.js';
import { createOpenRouterProvider, type OpenRouterProviderOptions } from './create-openrouter-provider.js';

const KEY = 'sk-or-v1-0123456789abcdefghijklmnop';

describeProviderOnTheWire('openrouter', { dialect: openAiDialect, open: createOpenRouterProvider });

it('identifies the application, and asks a listed model for an answer without reasoning', async () => {
  const { fake, send } = await open({ kind: 'reply', text: 'x' });
  await send();
  const [request] = fake.requests;
  expect(request?.path).toBe('/v1/chat/completions');
  expect(request?.headers).toMatchObject({ 'x-title': 'claude-mem', 'http-referer': 'http://localhost' });
  expect(request?.body).toMatchObject({
    model: 'google/gemini-2.5-flash-lite',
    reasoning: { enabled: false },
    max_tokens: MAX_REPLY_TOKENS,
  });
});

it('enables reasoning for a model that requires it, with more tokens for the reply, from then on', async () => {
  const message = 'Reasoning is mandatory for this endpoint and cannot be disabled.';
  const { fake, send } = await open(({ body }) =>
    'reasoning' in (body as object) ? refused(400, { message }) : { kind: 'reply', text: 'x' },
  );
  await send();
  await send();
  expect(fake.requests.map(({ body }) => 'reasoning' in (body as object))).toEqual([true, false, false]);
  expect(fake.requests[2]?.body).toMatchObject({ max_tokens: 4 * MAX_REPLY_TOKENS });
});

it('uses the cost that the router reports', async () => {
  const usage = { prompt_tokens: 194, completion_tokens: 2, cost: 0.00014 };
  const { send } = await open(
    stream(
      { model: 'made-by/somebody', choices: [{ delta: { content: 'good' }, finish_reason: null }] },
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
      { choices: [], usage: { ...usage, prompt_tokens_details: { cached_tokens: 100 } } },
    ),
  );
  expect((await send()).usage).toEqual({
    inputTokens: 194,
    outputTokens: 2,
    cachedTokens: 100,
    estimatedCostUsd: 0.00014,
  });
});

it.each([
  ['a model that nobody serves', refused(404, { message: 'No endpoints found for x/y.' }), 'setup-required'],
  [
    'a prompt that moderation flagged',
    refused(403, {
      message: 'openai/gpt-4o requires moderation. Your input was flagged',
      metadata: { reasons: ['violence'], flagged_input: 'the cart' },
    }),
    'rejected',
  ],
  [
    'a key over its limit',
    refused(403, { message: 'Key limit exceeded (monthly limit).' }),
    'quota-exhausted',
  ],
  ['no credits', refused(402, { message: 'This request requires more credits.' }), 'quota-exhausted'],
  [
    'free calls of the day used up',
    refused(429, { message: 'Rate limit exceeded: free-models-per-day.' }),
    'quota-exhausted',
  ],
  [
    'a model that is busy where it is served',
    refused(429, {
      message: 'Provider returned error',
      metadata: { raw: 'x is temporarily rate-limited upstream' },
    }),
    'rate-limited',
  ],
  [
    'a model whose server refuses in a choice',
    stream({ choices: [{ delta: {}, finish_reason: 'error', error: { code: 402, message: 'no' } }] }),
    'quota-exhausted',
  ],
  [
    'a model whose server fails after words',
    stream(
      { choices: [{ delta: { content: 'a' }, finish_reason: null }] },
      { error: { code: 429, message: 'slow down' }, choices: [{ delta: {}, finish_reason: 'error' }] },
    ),
    'rate-limited',
  ],
] as const)('classifies the failure of %s', async (_, answer, failure) => {
  const { fake, fail } = await open(answer);
  expect((await fail()).code).toBe(`provider/${failure}`);
  expect(fake.requests).toHaveLength(1);
});

it('waits when too many paid requests are running, which is not a used-up budget', async () => {
  const { fail } = await open({
    ...refused(402, { message: 'Busy', metadata: { limit_source: 'openrouter_in_flight_budget' } }),
    headers: { 'content-type': 'application/json', 'retry-after': '7' },
  });
  expect(await fail()).toMatchObject({ code: 'provider/rate-limited', retryAfterMs: 7_000 });
});

it('does not repeat a moderated prompt in the message', async () => {
  const { fail } = await open(
    refused(403, { message: 'Your input was flagged', metadata: { flagged_input: 'the secret cart' } }),
  );
  expect((await fail()).message).not.toContain('secret cart');
});

it.each([
  [{ apiKey: '' }, 'claude-mem settings set CLAUDE_MEM_OPENROUTER_API_KEY'],
  [{ baseUrl: 'openrouter:nowhere' }, 'CLAUDE_MEM_OPENROUTER_BASE_URL'],
])('names what is missing: %o', async (options, words) => {
  const { fake, fail } = await open({ kind: 'reply', text: 'x' }, options);
  const error = await fail();
  expect(error.code).toBe('provider/setup-required');
  expect(error.message).toContain(words);
  expect(fake.requests).toHaveLength(0);
});

async function open(
  answer: WireAnswer | ((request: WireRequest) => WireAnswer),
  options: Partial<OpenRouterProviderOptions> = {},
) {
  const fake = await createWireFake({
    dialect: openAiDialect,
    answer: typeof answer === 'function' ? answer : () => answer,
  });
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const provider = createOpenRouterProvider({ baseUrl: fake.url, apiKey: KEY, ...options });
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

function refused(status: number, error: { message: string; metadata?: object }) {
  return {
    kind: 'raw',
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error: { code: status, ...error }, user_id: 'user_1' }),
  } as const;
}

/** The stream contains the comments that the router sends while it waits. */
function stream(...chunks: unknown[]) {
  const waiting = ': OPENROUTER PROCESSING\n\n';
  return {
    kind: 'raw',
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'].join(waiting),
  } as const;
}
