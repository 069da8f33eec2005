import { createObserverBatch } from '@claude-mem/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  claudeDialect,
  createWireFake,
  describeProviderOnTheWire,
  type WireAnswer,
} from '../testing/index.js';
import { createClaudeProvider, type ClaudeProviderOptions } from './create-claude-provider.js';

describeProviderOnTheWire('claude', { dialect: claudeDialect, open: createClaudeProvider });

const REQUEST = { instructions: 'Remember.', prompt: 'What?', batch: createObserverBatch() };
const OK: WireAnswer = { kind: 'reply', text: '<summary/>' };

async function ask(answer: WireAnswer, options: Partial<ClaudeProviderOptions> = {}) {
  const fake = await createWireFake({ dialect: claudeDialect, answer: () => answer });
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const provider = createClaudeProvider({ apiKey: 'a-key', baseUrl: fake.url, ...options });
  await using conversation = await provider.startConversation();
  const reply = await conversation.send(REQUEST);
  if (reply.kind !== 'text') throw new Error('a model answers with text');
  return { reply, body: fake.requests[0]?.body };
}

describe('claude provider', () => {
  it('marks only the instructions as a cached prefix', async () => {
    const { body } = await ask(OK);
    expect(body).toMatchObject({
      system: [{ type: 'text', text: 'Remember.', cache_control: { type: 'ephemeral' } }],
      messages: [{ role: 'user', content: 'What?' }],
    });
  });

  it.each([
    ['claude-haiku-5-5', { thinking: { type: 'disabled' }, max_tokens: 2_500 }],
    ['claude-haiku-4-5', { thinking: { type: 'disabled' }, max_tokens: 2_500 }],
    ['claude-sonnet-5-5', { thinking: { type: 'between_tools' }, max_tokens: 2_500 }],
    ['claude-opus-5', { thinking: { type: 'disabled' }, max_tokens: 2_500 }],
    ['claude-opus-5-5', { output_config: { effort: 'low' }, max_tokens: 5_000 }],
    ['claude-fable-5-1', { output_config: { effort: 'low' }, max_tokens: 5_000 }],
  ])('%s uses the least thinking', async (model, expected) => {
    const { body } = await ask(OK, { model });
    expect(body).toMatchObject({ model, ...expected });
    expect(Object.keys(body as object)).not.toContain('temperature');
  });

  it('counts cache writes as input at their own price', async () => {
    const { reply } = await ask({
      kind: 'raw',
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: eventsOf([
        {
          type: 'message_start',
          message: {
            model: 'claude-haiku-5-5',
            usage: {
              input_tokens: 100,
              cache_creation_input_tokens: 800,
              cache_read_input_tokens: 0,
              output_tokens: 1,
            },
          },
        },
        { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
        { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'good' } },
        {
          type: 'message_delta',
          delta: { stop_reason: 'end_turn' },
          usage: {
            input_tokens: null,
            cache_creation_input_tokens: null,
            cache_read_input_tokens: null,
            output_tokens: 9,
          },
        },
        { type: 'message_stop' },
      ]),
    });
    expect(reply).toMatchObject({
      text: 'good',
      usage: { inputTokens: 900, cachedTokens: 0, outputTokens: 9 },
    });
    expect(reply.usage.estimatedCostUsd).toBeCloseTo((100 * 0.1 + 800 * 0.125 + 9 * 0.5) / 1e6, 12);
  });

  it('reports a reply that was cut at the limit as truncated', async () => {
    const { reply } = await ask({ kind: 'reply', text: 'x'.repeat(400_000) });
    expect(reply.usage.outputTokens).toBe(2_500);
  });

  it('reports the cost of a refusal', async () => {
    const usage = { inputTokens: 30, cachedTokens: 10, outputTokens: 2 };
    const refused = ask({ kind: 'reply', text: 'no', stop: 'refusal', usage });
    await expect(refused).rejects.toMatchObject({ code: 'provider/rejected', usage });
  });

  it.each([
    [' ', 'provider/setup-required'],
    ['kéy', 'provider/auth-invalid'],
  ])('does not start with the key "%s", and does not repeat it', async (apiKey, code) => {
    const provider = createClaudeProvider({ apiKey });
    const error = await provider.startConversation().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, message: expect.stringContaining('CLAUDE_MEM_ANTHROPIC_API_KEY') });
    expect(String(error)).not.toContain('kéy');
  });

  it('masks its own key even when it does not look like one', async () => {
    const refused = ask(
      { kind: 'error', status: 401, errorKind: 'auth', message: 'bad: plain0123456789word' },
      { apiKey: 'plain0123456789word' },
    );
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('"bad: [key]"') });
  });

  it.each(['', '/', '/v1', '/v1/', '/some/way'])(
    'sends requests to the vendor when the address ends in "%s"',
    async (end) => {
      const fake = await createWireFake({ dialect: claudeDialect, answer: () => OK });
      onTestFinished(() => fake[Symbol.asyncDispose]());
      await using conversation = await createClaudeProvider({
        apiKey: 'a-key',
        baseUrl: `${fake.url}${end}`,
      }).startConversation();
      await conversation.send(REQUEST);
      expect(fake.requests[0]?.path).toBe(end === '/some/way' ? '/some/way/v1/messages' : '/v1/messages');
    },
  );

  it.each(['nowhere', 'ftp://127.0.0.1', 'https://', 'https://me:word@host', 'https://me:word@host:port'])(
    'rejects %s as an address',
    async (baseUrl) => {
      await expect(
        createClaudeProvider({ apiKey: 'a-key', baseUrl }).startConversation(),
      ).rejects.toMatchObject({
        code: 'provider/setup-required',
        message: expect.stringMatching(
          /claude-mem settings set CLAUDE_MEM_ANTHROPIC_BASE_URL https:\/\/(?!me)/,
        ),
      });
    },
  );

  it('names the command that installs a missing package', async () => {
    const loadSdk = () => import('@anthropic-ai/no-such-package' as string) as never;
    const provider = createClaudeProvider({ apiKey: 'a-key', loadSdk });
    await expect(provider.startConversation()).rejects.toMatchObject({
      code: 'provider/setup-required',
      message:
        'The claude observer needs the package @anthropic-ai/sdk: run "npm install @anthropic-ai/sdk".',
    });
  });
});

const eventsOf = (events: readonly ({ type: string } & Record<string, unknown>)[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
