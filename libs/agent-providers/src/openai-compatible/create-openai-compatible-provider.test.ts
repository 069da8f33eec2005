import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { estimateTokens } from '@claude-mem/core';
import { createObserverBatch } from '@claude-mem/core/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
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
import type { ChatSdk } from './create-chat-provider.js';
import {
  createOpenAiCompatibleProvider,
  type OpenAiCompatibleProviderOptions,
} from './create-openai-compatible-provider.js';

const KEY = 'sk-test-0123456789abcdefghijklmnop';
const REQUEST = { instructions: 'Remember.', prompt: 'The cart has a total.', batch: createObserverBatch() };

describeProviderOnTheWire('openai-compatible', {
  dialect: openAiDialect,
  isFreeOnLoopback: true,
  open: (options) => createOpenAiCompatibleProvider({ ...options, model: 'qwen3:8b' }),
});

it.each(['', '/', '/v1', '/v1/', '/v1/chat/completions', '/api/v3'])(
  'sends requests to the server when the address ends in "%s"',
  async (end) => {
    const { fake, send } = await open({ kind: 'reply', text: 'x' }, (url) => ({ baseUrl: `${url}${end}` }));
    await send();
    expect(fake.requests[0]?.path).toBe(
      end === '/api/v3' ? '/api/v3/chat/completions' : '/v1/chat/completions',
    );
  },
);

it('sends no key when none is set', async () => {
  const { fake, send } = await open({ kind: 'reply', text: 'x' }, () => ({ apiKey: ' ' }));
  await send();
  expect(fake.requests[0]?.headers).not.toHaveProperty('authorization');
});

it('B070: sends no headers of the environment, which cannot replace the key', async () => {
  vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'Authorization: Bearer trap\nx-trap: trap\nOpenAI-Organization: trap');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { fake, send } = await open({ kind: 'reply', text: 'x' });
  await send();
  expect(fake.requests[0]?.key).toBe(KEY);
  expect(JSON.stringify(fake.requests[0]?.headers)).not.toContain('trap');
});

it('limits the reply by the parameter that local servers know, and requests the usage', async () => {
  const { fake, send } = await open({ kind: 'reply', text: 'x' });
  await send();
  expect(fake.requests[0]?.body).toMatchObject({
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 4 * MAX_REPLY_TOKENS,
  });
  expect(fake.requests[0]?.body).not.toHaveProperty('max_completion_tokens');
});

it('repeats a request once without stream_options when the server refuses them, and omits them from then on', async () => {
  const { fake, send } = await open(refusing('stream_options', 422, 'Extra inputs are not permitted'));
  await send();
  await send();
  expect(fake.requests.map(({ body }) => 'stream_options' in (body as object))).toEqual([true, false, false]);
});

it('uses the newer limit parameter after the older one is refused', async () => {
  const words =
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  const { fake, send } = await open(refusing('max_tokens', 400, words));
  await send();
  await send();
  expect(fake.requests.map(({ body }) => limitsIn(body))).toEqual([
    ['max_tokens'],
    ['max_completion_tokens'],
    ['max_completion_tokens'],
  ]);
});

it('shares what simultaneous requests have learned', async () => {
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const { fake, send } = await open(async (request) => {
    if (fake.requests.length > 1) return refusing('stream_options', 400, 'Unknown field')(request);
    await gate;
    return refusing('max_tokens', 400, 'Unknown field')(request);
  });
  const first = send();
  await expect.poll(() => fake.requests.length).toBe(1);
  await send();
  letGo();
  await first;
  expect(fake.requests.map(({ body }) => 'stream_options' in (body as object))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it('sends no limit when the server refuses all limit parameters', async () => {
  const { fake, send } = await open(({ body }) => {
    const [name] = limitsIn(body);
    return name === undefined
      ? { kind: 'reply', text: 'x' }
      : {
          kind: 'error',
          status: 400,
          errorKind: 'bad-request',
          message: `Unrecognized request argument: ${name}`,
        };
  });
  await send();
  expect(fake.requests.map(({ body }) => limitsIn(body))).toEqual([
    ['max_tokens'],
    ['max_completion_tokens'],
    [],
  ]);
});

it('does not repeat a request that is too long for the context', async () => {
  const message =
    "'max_tokens' or 'max_completion_tokens' is too large: 10000. This model's maximum context length is 4096 tokens.";
  const { fake, fail } = await open({ kind: 'error', status: 400, errorKind: 'bad-request', message });
  expect((await fail()).code).toBe('provider/too-long');
  expect(fake.requests).toHaveLength(1);
});

it('does not repeat a request when the server fails', async () => {
  const message = 'unexpected failure while reading stream_options';
  const { fake, fail } = await open({ kind: 'error', status: 500, errorKind: 'overloaded', message });
  expect((await fail()).code).toBe('provider/overloaded');
  expect(fake.requests).toHaveLength(1);
});

it('estimates the usage when the server reports none', async () => {
  const text = 'Nothing to record. '.repeat(20);
  const { send } = await open(stream(delta({ content: text }), finish('stop')));
  expect((await send()).usage).toEqual({
    inputTokens: estimateTokens(REQUEST.instructions) + estimateTokens(REQUEST.prompt),
    outputTokens: estimateTokens(text),
    cachedTokens: 0,
    estimatedCostUsd: 0,
  });
});

it.each([
  ['half of the estimate', 1, 0, 0.5],
  ['20 times the estimate', 1e300, 1e300, 20],
])('records %s when the server reports %d tokens', async (_, prompt_tokens, completion_tokens, factor) => {
  const text = 'Nothing to record. '.repeat(400);
  const prompt = 'The cart has a total. '.repeat(4_000);
  const usage = { prompt_tokens, completion_tokens };
  const { send } = await open(stream(delta({ content: text }), finish('stop'), { choices: [], usage }));
  expect((await send(prompt)).usage).toMatchObject({
    inputTokens: Math.ceil((estimateTokens(REQUEST.instructions) + estimateTokens(prompt)) * factor),
    outputTokens: Math.ceil(estimateTokens(text) * factor),
  });
});

it('reads a complete answer of a server without streaming', async () => {
  const body = {
    model: 'whole',
    choices: [{ message: { role: 'assistant', content: 'good' }, finish_reason: 'length' }],
    usage: { prompt_tokens: 7, completion_tokens: 3 },
  };
  const { send } = await open(json(body));
  expect(await send()).toMatchObject({
    text: 'good',
    model: 'whole',
    isTruncated: true,
    usage: { inputTokens: 7, outputTokens: 3 },
  });
});

it('removes reasoning from the reply, regardless of the field that contains it', async () => {
  const { send } = await open(
    stream(
      delta({ reasoning_content: 'hm' }),
      delta({ reasoning: 'hm', content: null }),
      delta({ content: '<think>or a ' }),
      delta({ content: 'summary?</think>\n' }),
      delta({
        content: [
          { type: 'thinking', text: 'hm' },
          { type: 'text', text: '<summ' },
        ],
      }),
      delta({ content: 'ary/>' }),
      finish('stop'),
    ),
  );
  expect((await send()).text.trim()).toBe('<summary/>');
});

it('reports a truncated reply that contains only reasoning as a charged failure', async () => {
  const usage = { prompt_tokens: 9, completion_tokens: 2500 };
  const { fail } = await open(
    stream(delta({ content: '<think>so many thoughts' }), finish('length'), { choices: [], usage }),
  );
  expect(await fail()).toMatchObject({ code: 'provider/bad-reply', usage: { outputTokens: 2500 } });
});

it.each([
  ['a refusal in words', stream(delta({ refusal: 'I cannot' }), finish('stop')), 'rejected'],
  ['a call of a tool', stream(delta({ tool_calls: [{}] }), finish('tool_calls')), 'bad-reply'],
  ['an error with a status', stream({ error: { code: 429, message: 'slow' } }), 'rate-limited'],
  [
    'an error in words',
    stream({ error: 'context length exceeded: maximum context length is 4096' }),
    'too-long',
  ],
  ['an error after words', stream(delta({ content: 'a' }), { error: { message: 'CUDA' } }), 'overloaded'],
  ['an error and no stream', json({ error: { message: 'no auth', code: 401 } }), 'auth-invalid'],
  ['a finish that is an error', stream(delta({ content: 'a' }), finish('error')), 'overloaded'],
  ['FastAPI detail', json({ detail: 'Invalid API key' }, 401), 'auth-invalid'],
  ['nothing at all', json({}, 404), 'setup-required'],
] as const)('classifies the failure of a reply with %s', async (_, answer, failure) => {
  const { fail } = await open(answer);
  expect((await fail()).code).toBe(`provider/${failure}`);
});

it.each([
  [{ model: '' }, 'setup-required', 'claude-mem settings set CLAUDE_MEM_OPENAI_MODEL'],
  [{ baseUrl: 'ftp://host' }, 'setup-required', 'claude-mem settings set CLAUDE_MEM_OPENAI_BASE_URL'],
  [{ baseUrl: '' }, 'setup-required', 'claude-mem settings set CLAUDE_MEM_OPENAI_BASE_URL'],
  [
    { baseUrl: 'http://me:secret@host' },
    'setup-required',
    'claude-mem settings set CLAUDE_MEM_OPENAI_BASE_URL',
  ],
  [{ apiKey: 'sk-secret\nkey' }, 'auth-invalid', 'claude-mem settings set CLAUDE_MEM_OPENAI_API_KEY'],
  [{ loadSdk: () => import('no-such-package' as 'openai') }, 'setup-required', 'run "npm install openai"'],
])('names the missing setting and the fix: %o', async (options, failure, words) => {
  const { fake, fail } = await open({ kind: 'reply', text: 'x' }, () => options);
  const error = await fail();
  expect(error.code).toBe(`provider/${failure}`);
  expect(error.message).toContain(words);
  expect(error.message).not.toContain('secret');
  expect(fake.requests).toHaveLength(0);
});

it.each([
  ['a server of the own network costs nothing, whatever the key', 'http://192.168.1.20/v1', KEY, 0],
  ['a server elsewhere without a key costs nothing', 'https://api.example.com/v1', '', 0],
  ['a server elsewhere with a key costs what the list says', 'https://api.example.com/v1', KEY, 0.0001],
])('estimates the cost of a reply: %s', async (_, baseUrl, apiKey, cost) => {
  const usage = { inputTokens: 2_000, outputTokens: 0, cachedTokens: 0 };
  const { send } = await open({ kind: 'reply', text: '', usage, model: 'gpt-5-nano' }, (url) => ({
    baseUrl,
    apiKey,
    loadSdk: async () => elsewhere(await import('openai'), url),
  }));
  expect((await send()).usage.estimatedCostUsd).toBeCloseTo(cost, 6);
});

it('stops reading a reply without line ends', async () => {
  let sent = 0;
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: ');
    const piece = Buffer.alloc(1_048_576, 'a');
    const write = () => {
      while (sent < 150 && !response.destroyed) {
        sent += 1;
        if (!response.write(piece)) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const { fail } = await open({ kind: 'reply', text: 'x' }, () => ({ baseUrl: `http://127.0.0.1:${port}` }));
  expect((await fail()).code).toBe('provider/bad-reply');
  expect(sent).toBeLessThan(24);
});

type Answer = WireAnswer | ((request: WireRequest) => WireAnswer | Promise<WireAnswer>);

async function open(
  answer: Answer,
  options: (url: string) => Partial<OpenAiCompatibleProviderOptions> = () => ({}),
) {
  const fake = await createWireFake({
    dialect: openAiDialect,
    answer: typeof answer === 'function' ? answer : () => answer,
  });
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const provider = createOpenAiCompatibleProvider({
    baseUrl: fake.url,
    apiKey: KEY,
    model: 'qwen3:8b',
    ...options(fake.url),
  });
  const send = async (prompt = REQUEST.prompt) => {
    await using conversation = await provider.startConversation();
    return (await conversation.send({ ...REQUEST, prompt })) as ObserverReply & { kind: 'text' };
  };
  const fail = async () => {
    const error = await send().catch((thrown: unknown) => thrown);
    if (!ProviderError.isInstance(error)) throw new Error('it did not fail as it should', { cause: error });
    return error;
  };
  return { fake, send, fail };
}

/** The real SDK, with its requests redirected to the fake. */
function elsewhere(sdk: ChatSdk, url: string): ChatSdk {
  const OpenAI = class extends sdk.OpenAI {
    constructor(options: ConstructorParameters<ChatSdk['OpenAI']>[0]) {
      super({ ...options, baseURL: `${url}/v1` });
    }
  };
  return { ...sdk, OpenAI };
}

/** Refuses requests with the field, and answers the others. */
function refusing(field: string, status: number, message: string) {
  return ({ body }: WireRequest): WireAnswer =>
    field in (body as object)
      ? json({ detail: [{ type: 'extra_forbidden', loc: ['body', field], msg: message }] }, status)
      : { kind: 'reply', text: 'x' };
}

const limitsIn = (body: unknown) => Object.keys(body as object).filter((name) => name.startsWith('max_'));

function json(body: unknown, status = 200): WireAnswer {
  return {
    kind: 'raw',
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

function stream(...chunks: unknown[]): WireAnswer {
  return {
    kind: 'raw',
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: [
      ': OPENROUTER PROCESSING',
      ...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}`),
      'data: [DONE]',
      '',
    ].join('\n\n'),
  };
}

function delta(fields: object) {
  return { choices: [{ index: 0, delta: fields, finish_reason: null }] };
}

function finish(reason: string) {
  return { choices: [{ index: 0, delta: {}, finish_reason: reason }] };
}
