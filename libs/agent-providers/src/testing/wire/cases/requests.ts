import { createObserverBatch } from '@claude-mem/core/testing';
import { expect, vi } from 'vitest';
import { API_KEY, failureOf, openWireSetup } from '../open-wire-setup.js';
import { createWireFake, type WireAnswer } from '../create-wire-fake.js';
import type { WireCase } from '../wire-case.js';

const OK: WireAnswer = { kind: 'reply', text: '<summary/>' };

/** Test cases for the content of requests. */
export const REQUEST_CASES: readonly WireCase[] = [
  {
    title: 'sends the instructions as a separate prefix with the same bytes in every request',
    async run(harness) {
      const { fake, provider } = await openWireSetup(harness, OK);
      const instructions = 'Remember what is worth it.\nAnswer with XML.';
      for (const prompt of ['first', 'second']) {
        await using conversation = await provider.startConversation();
        await conversation.send({ instructions, prompt, batch: BATCH });
      }
      const [one, two] = fake.requests;
      expect([one?.instructions, two?.instructions]).toEqual([instructions, instructions]);
      expect([one?.prompt, two?.prompt]).toEqual(['first', 'second']);
      const prefix = (raw: Buffer | undefined, prompt: string) =>
        String(raw).split(JSON.stringify(prompt))[0];
      expect(prefix(one?.raw, 'first')).toBe(prefix(two?.raw, 'second'));
    },
  },
  {
    title: 'sends no tools',
    async run(harness) {
      const { fake, send } = await openWireSetup(harness, OK);
      await send();
      expect(fake.requests.map(({ hasTools }) => hasTools)).toEqual([false]);
    },
  },
  {
    title: 'B070: uses the key, model and address of its options and none of the environment',
    async run(harness) {
      await using trap = await createWireFake({ dialect: harness.dialect, answer: () => OK });
      const print = [
        vi.spyOn(console, 'log'),
        vi.spyOn(console, 'warn'),
        vi.spyOn(console, 'error'),
        vi.spyOn(console, 'debug'),
        vi.spyOn(console, 'info'),
      ];
      for (const name of KEYS_OF_OTHERS) vi.stubEnv(name, 'trap-of-the-environment');
      for (const name of ADDRESSES_OF_OTHERS) vi.stubEnv(name, trap.url);
      for (const name of ['ANTHROPIC_LOG', 'OPENAI_LOG']) vi.stubEnv(name, 'debug');
      vi.stubEnv(
        'ANTHROPIC_CUSTOM_HEADERS',
        'x-trap: trap-of-the-environment\nauthorization: Bearer trap-of-the-environment',
      );
      try {
        const { fake, provider, send } = await openWireSetup(harness, OK);
        await send();
        const [request] = fake.requests;
        expect(request?.key).toBe(API_KEY);
        if (provider.model !== null) expect(request?.model).toBe(provider.model);
        expect(`${request?.path} ${JSON.stringify(request?.headers)} ${request?.raw}`).not.toContain(
          'trap-of',
        );
        expect(trap.requests).toHaveLength(0);
        for (const spy of print) expect(spy).not.toHaveBeenCalled();
      } finally {
        vi.unstubAllEnvs();
        for (const spy of print) spy.mockRestore();
      }
    },
  },
  {
    title: 'sends only the current request without history',
    async run(harness) {
      const { fake, provider } = await openWireSetup(harness, OK);
      await using conversation = await provider.startConversation();
      const [instructions, first, second] = ['i'.repeat(500), 'a'.repeat(3_000), 'b'.repeat(200)];
      await conversation.send({ instructions, prompt: first, batch: BATCH });
      await conversation.send({ instructions, prompt: second, batch: BATCH });
      const [one, two] = fake.requests;
      expect([one?.messages, two?.messages]).toEqual([1, 1]);
      expect(String(two?.raw)).not.toContain('aaaa');
      expect(one?.raw.length).toBeLessThan(3_500 + 800);
      expect(two?.raw.length).toBeLessThan(700 + 800);
    },
  },
  {
    title: 'B129: sends well-formed text for emoji, lone surrogates and all other characters',
    async run(harness) {
      const { fake, send } = await openWireSetup(harness, OK);
      const odd = `👩‍👩‍👧 \ud83d half \udc00 合計 "quoted" \\ \u2028 \u0007 end\ud83d`;
      await send({ instructions: `i ${odd}`, prompt: `p ${odd}` });
      const [request] = fake.requests;
      expect(request?.instructions).toBe(`i ${odd.toWellFormed()}`);
      expect(request?.prompt).toBe(`p ${odd.toWellFormed()}`);
      expect(String(request?.raw)).not.toMatch(/\\u[dD][89abAB]/);
    },
  },
  {
    title: 'does not retry a failure itself',
    async run(harness) {
      const failures: WireAnswer[] = [
        { kind: 'error', status: 408, errorKind: 'overloaded' },
        { kind: 'error', status: 409, errorKind: 'bad-request' },
        { kind: 'error', status: 429, errorKind: 'rate-limit', retryAfterSeconds: 0 },
        { kind: 'error', status: 500, errorKind: 'overloaded', headers: { 'x-should-retry': 'true' } },
        { kind: 'reset' },
        { kind: 'reply', text: 'x'.repeat(2_000), resetAfterChunks: 3 },
      ];
      const { fake, send } = await openWireSetup(harness, failures);
      for (const [index] of failures.entries()) {
        await failureOf(send());
        expect(fake.requests).toHaveLength(index + 1);
      }
    },
  },
  {
    title: 'returns the right reply to each of eight parallel conversations',
    async run(harness) {
      const prompts = Array.from({ length: 8 }, (_, index) => `question ${index}`);
      let allArrived = () => {};
      const gate = new Promise<void>((resolve) => (allArrived = resolve));
      const { fake, send } = await openWireSetup(harness, async ({ prompt }) => {
        if (fake.requests.length === prompts.length) allArrived();
        await gate;
        return { kind: 'reply', text: `answer to ${prompt}` };
      });
      const replies = await Promise.all(prompts.map((prompt) => send({ prompt })));
      expect(replies.map(({ text }) => text)).toEqual(prompts.map((prompt) => `answer to ${prompt}`));
    },
  },
  {
    title: 'keeps a conversation open when another one ends',
    async run(harness) {
      const { fake, provider } = await openWireSetup(harness, ({ prompt }) => ({
        kind: 'reply',
        text: prompt,
        delayMs: 20,
      }));
      await using staying = await provider.startConversation();
      const leaving = await provider.startConversation();
      const sent = staying.send({ instructions: 'i', prompt: 'stays', batch: BATCH });
      await leaving.send({ instructions: 'i', prompt: 'leaves', batch: BATCH });
      await leaving[Symbol.asyncDispose]();
      expect(await sent).toMatchObject({ text: 'stays' });
      await expect.poll(() => fake.inFlight()).toBe(0);
    },
  },
];

const BATCH = createObserverBatch();

const KEYS_OF_OTHERS = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_WEBHOOK_SIGNING_KEY',
  'ANTHROPIC_MODEL',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'OPENAI_API_KEY',
  'OPENAI_ADMIN_KEY',
  'OPENAI_ORG_ID',
  'OPENAI_PROJECT_ID',
  'OPENAI_WEBHOOK_SECRET',
  'OPENROUTER_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
];

const ADDRESSES_OF_OTHERS = [
  'ANTHROPIC_BASE_URL',
  'OPENAI_BASE_URL',
  'GOOGLE_GEMINI_BASE_URL',
  'GEMINI_BASE_URL',
];
