import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createFixedClock, createObserverBatch } from '@claude-mem/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AgentProvider, ObserverReply } from '../agent-provider.js';
import { createWireFake, type WireAnswer, type WireRequest } from '../testing/wire/create-wire-fake.js';
import { createClaudeCodeProvider, type ClaudeCodeProviderOptions } from './create-claude-code-provider.js';
import { claudeCodeDialect } from './fixtures/claude-code-dialect.js';
import {
  createClaudeCodeHome,
  hasAgentSdk,
  loadTestSdk,
  NO_AGENT_SDK,
  TEST_SDK,
} from './fixtures/claude-code-home.js';
import { readStarts } from './fixtures/read-starts.js';
import { startAskingHost } from './fixtures/start-asking-host.js';
import { writeFakeClaude } from './fixtures/write-fake-claude.js';

const REQUEST = { instructions: 'Remember.', prompt: 'The cart has a total.', batch: createObserverBatch() };
const OK: WireAnswer = { kind: 'reply', text: '<summary/>' };
const LOGIN = JSON.stringify({ claudeAiOauth: { accessToken: 'sk-ant-oat01-of-the-person' } });

type Answer = (request: WireRequest) => WireAnswer | Promise<WireAnswer>;

/** A home folder with a fake Claude Code program that is logged in. */
async function open(answer: Answer = () => OK, options: Partial<ClaudeCodeProviderOptions> = {}) {
  const home = createClaudeCodeHome(process.env);
  writeFileSync(path.join(home.config, '.credentials.json'), LOGIN);
  const vendor = await createWireFake({ dialect: claudeCodeDialect, answer });
  onTestFinished(() => vendor[Symbol.asyncDispose]());
  const startsFile = path.join(home.home, 'starts');
  const executable = writeFakeClaude({ folder: home.bin, url: vendor.url, startsFile });
  const provider = createClaudeCodeProvider({
    folder: home.observer,
    env: home.env,
    executable,
    loadSdk: loadTestSdk,
    ...options,
  });
  return { ...home, vendor, provider, executable, starts: () => readStarts(startsFile) };
}

async function ask(
  provider: AgentProvider,
  prompt = REQUEST.prompt,
): Promise<ObserverReply & { kind: 'text' }> {
  await using conversation = await provider.startConversation();
  return asText(await conversation.send({ ...REQUEST, prompt }));
}

function asText(reply: ObserverReply) {
  if (reply.kind !== 'text') throw new Error('a model answers with text');
  return reply;
}

const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

describe.skipIf(!hasAgentSdk)(
  `claude-code with a fake program (${hasAgentSdk ? 'SDK found' : NO_AGENT_SDK})`,
  () => {
    it('B104: runs the child without settings, plugins, servers and tools, and marks it as an observer', async () => {
      const { provider, observer, starts } = await open();
      await ask(provider);
      const [{ args, env }] = starts() as [ReturnType<typeof readStarts>[number]];
      expect(args).toContain('--setting-sources=');
      expect(args).toContain('--tools=');
      expect(args).toContain('--strict-mcp-config');
      expect(args.join(' ')).not.toMatch(
        /--mcp-config|--plugin|--settings|--allowed|--permission|--add-dir|--agents/,
      );
      expect(env).toMatchObject({ CLAUDE_MEM_OBSERVER: '1', PWD: observer });
      expect(readdirSync(observer)).toEqual([]);
    });

    it('B070: passes neither keys nor vendor addresses of the environment to the child', async () => {
      const trap = {
        ANTHROPIC_API_KEY: 'trap',
        ANTHROPIC_AUTH_TOKEN: 'trap',
        CLAUDE_CODE_OAUTH_TOKEN: 'trap',
      };
      const { env } = createClaudeCodeHome(process.env);
      const { provider, vendor, starts, env: own } = await open(undefined, { env: { ...env, ...trap } });
      writeFileSync(path.join(String(env.HOME), '.claude', '.credentials.json'), LOGIN);
      await ask(provider);
      expect(own).toBeDefined();
      expect(JSON.stringify(starts())).not.toContain('trap');
      expect(vendor.requests.map(({ key }) => key)).toEqual(['sk-ant-oat01-of-the-person']);
    });

    it("B106: leaves the user's own conversations unchanged and uses the user's login for three turns", async () => {
      const { provider, vendor, config, observer, home } = await open();
      const own = path.join(config, 'projects', '-home-dev-shop');
      const before = readdirSync(config);
      await using conversation = await provider.startConversation();
      for (const prompt of ['one', 'two', 'three']) await conversation.send({ ...REQUEST, prompt });
      expect(vendor.requests.map(({ key }) => key)).toEqual(Array(3).fill('sk-ant-oat01-of-the-person'));
      expect(existsSync(own)).toBe(false);
      expect(readdirSync(config).filter((name) => !before.includes(name))).toEqual(['projects']);
      // The transcripts are stored under the observer folder, in which no user works.
      expect(readdirSync(path.join(config, 'projects'))).toEqual([observer.replace(/[^a-zA-Z0-9]/g, '-')]);
      expect(readdirSync(home).toSorted()).toEqual(['.claude', 'bin', 'data', 'starts']);
    });

    it('B127: reports the output of a program that exits at once, and does not start it repeatedly', async () => {
      const { provider, executable, vendor } = await open();
      const starts = path.join(path.dirname(executable), 'count');
      writeFileSync(
        executable,
        `#!/bin/sh\necho start >> '${starts}'\necho "error: unknown option '--thinking'" >&2\nexit 1\n`,
      );
      for (let count = 0; count < 5; count += 1) {
        await expect(ask(provider)).rejects.toMatchObject({
          code: 'provider/setup-required',
          retryable: false,
          message: expect.stringMatching(/unknown option '--thinking'.*CLAUDE_CODE_PATH/),
        });
      }
      expect(readFileSync(starts, 'utf8')).toBe('start\n');
      writeFakeClaude({ folder: path.dirname(executable), url: vendor.url });
      expect((await ask(provider)).text).toBe('<summary/>');
    });

    it('tries a broken program again after a while', async () => {
      const clock = createFixedClock();
      const { provider, executable } = await open(undefined, { clock });
      const starts = path.join(path.dirname(executable), 'count');
      writeFileSync(executable, `#!/bin/sh\necho start >> '${starts}'\nexit 0\n`);
      await expect(ask(provider)).rejects.toMatchObject({ code: 'provider/setup-required' });
      await clock.advance(299_000);
      await expect(ask(provider)).rejects.toMatchObject({ code: 'provider/setup-required' });
      await clock.advance(1_000);
      await expect(ask(provider)).rejects.toMatchObject({ code: 'provider/setup-required' });
      expect(readFileSync(starts, 'utf8')).toBe('start\nstart\n');
    });

    it('explains how to log in and sends no request when the user is not logged in', async () => {
      const { provider, vendor, config } = await open();
      writeFileSync(path.join(config, '.credentials.json'), '{"claudeAiOauth":{"accessToken":""}}');
      const { env } = createClaudeCodeHome(process.env);
      const other = await open(undefined, { env });
      await expect(ask(other.provider)).rejects.toMatchObject({
        code: 'provider/auth-invalid',
        message: expect.stringMatching(/run "claude" once and log in/),
      });
      expect(other.vendor.requests).toHaveLength(0);
      expect(provider.model).toBe('haiku');
      expect(vendor.requests).toHaveLength(0);
    });

    it('uses one child and one conversation id from the first reply on', async () => {
      const { provider, vendor, starts } = await open();
      await using conversation = await provider.startConversation();
      const ids = [];
      for (const prompt of ['one', 'two']) {
        ids.push(asText(await conversation.send({ ...REQUEST, prompt })).memorySessionId);
      }
      expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
      expect(ids[1]).toBe(ids[0]);
      expect(starts()).toHaveLength(1);
      expect(vendor.requests.map(({ messages }) => messages)).toEqual([1, 3]);
    });

    it('continues a conversation of another process by its id', async () => {
      const { provider, vendor } = await open();
      const { memorySessionId } = await ask(provider, 'one');
      await using resumed = await provider.startConversation({ resume: String(memorySessionId) });
      const reply = asText(await resumed.send({ ...REQUEST, prompt: 'two' }));
      expect(reply.memorySessionId).toBe(memorySessionId);
      expect(vendor.requests.map(({ messages }) => messages)).toEqual([1, 3]);
    });

    it('starts a new conversation when the stored one does not exist any more', async () => {
      const { provider, vendor } = await open();
      const resume = '11111111-1111-4111-8111-111111111111';
      await using resumed = await provider.startConversation({ resume });
      const reply = asText(await resumed.send(REQUEST));
      expect(reply.text).toBe('<summary/>');
      expect(reply.memorySessionId).not.toBe(resume);
      expect(vendor.requests).toHaveLength(1);
    });

    it('reports the cost of each turn', async () => {
      const outputs = [1_000, 10];
      const { provider } = await open(() => ({
        ...{ kind: 'reply', text: '<summary/>' },
        usage: { inputTokens: 100, cachedTokens: 0, outputTokens: outputs.shift() ?? 0 },
      }));
      await using conversation = await provider.startConversation();
      const first = asText(await conversation.send(REQUEST)).usage;
      const second = asText(await conversation.send(REQUEST)).usage;
      expect(first).toMatchObject({ inputTokens: 100, outputTokens: 1_000 });
      expect(second).toMatchObject({ inputTokens: 100, outputTokens: 10 });
      expect(first.estimatedCostUsd).toBeCloseTo(0.0051, 6);
      expect(second.estimatedCostUsd).toBeCloseTo(0.00015, 6);
    });

    it('starts a new conversation when the instructions differ', async () => {
      const { provider, vendor } = await open();
      await using conversation = await provider.startConversation();
      await conversation.send({ ...REQUEST, instructions: 'First.' });
      await conversation.send({ ...REQUEST, instructions: 'Second.' });
      expect(vendor.requests.map((request) => [request.instructions, request.messages])).toEqual([
        ['First.', 1],
        ['Second.', 1],
      ]);
    });

    it('does not carry a failed request into the next turn', async () => {
      const answers: WireAnswer[] = [{ kind: 'error', status: 529, errorKind: 'overloaded' }, OK];
      const { provider, vendor } = await open(() => answers.shift() ?? OK);
      await using conversation = await provider.startConversation();
      await expect(conversation.send(REQUEST)).rejects.toMatchObject({ code: 'provider/overloaded' });
      await conversation.send(REQUEST);
      expect(vendor.requests.map(({ messages }) => messages)).toEqual([1, 1]);
    });

    it.each([
      { text: '', stop: 'end' },
      { text: 'cut off', stop: 'max-tokens' },
    ] as const)('stops requests that the child would send on its own: $stop', async (answer) => {
      const { provider, vendor, starts } = await open(() => ({ kind: 'reply', ...answer }));
      await using conversation = await provider.startConversation();
      const reply = await conversation.send(REQUEST);
      expect(reply).toMatchObject({ text: answer.text });
      // The stored conversation ends in the middle of a turn.
      expect(reply.memorySessionId).toBeUndefined();
      await expect.poll(() => isAlive(starts()[0]?.pid ?? 0)).toBe(false);
      expect(vendor.requests).toHaveLength(1);
      await conversation.send(REQUEST);
      expect(vendor.requests.map(({ messages }) => messages)).toEqual([1, 1]);
    });

    it('reports when a used-up plan is available again', async () => {
      const clock = createFixedClock();
      const headers = { 'anthropic-ratelimit-unified-reset': String(clock.now() / 1000 + 3_600) };
      const { provider } = await open(
        () => ({ kind: 'error', status: 429, errorKind: 'rate-limit', headers }),
        { clock },
      );
      await expect(ask(provider)).rejects.toMatchObject({
        code: 'provider/quota-exhausted',
        retryAfterMs: 3_600_000,
      });
    });

    it('B026: runs at most two children for many conversations, and none when they are closed', async () => {
      const { provider, vendor, starts } = await open();
      let most = 0;
      const watch = setInterval(
        () => (most = Math.max(most, starts().filter(({ pid }) => isAlive(pid)).length)),
        10,
      );
      onTestFinished(() => clearInterval(watch));
      const conversations = await Promise.all(Array.from({ length: 10 }, () => provider.startConversation()));
      await Promise.all(conversations.map((one) => one.send(REQUEST)));
      expect(vendor.requests).toHaveLength(10);
      expect(most).toBeLessThanOrEqual(2);
      await Promise.all(conversations.map((one) => one[Symbol.asyncDispose]()));
      expect(starts().filter(({ pid }) => isAlive(pid))).toEqual([]);
    });

    it('resumes a conversation that gave up its slot', async () => {
      const { provider, vendor } = await open(undefined, { maxChildren: 1 });
      await using one = await provider.startConversation();
      await using two = await provider.startConversation();
      const first = asText(await one.send(REQUEST));
      await two.send(REQUEST);
      const again = asText(await one.send(REQUEST));
      expect(again.memorySessionId).toBe(first.memorySessionId);
      expect(vendor.requests.map(({ messages }) => messages)).toEqual([1, 1, 3]);
    });

    it('B024: kills a child soon when a turn is aborted and the child ignores signals', async () => {
      const { provider, executable, starts, vendor } = await open(() => ({ kind: 'hang' }), { graceMs: 100 });
      // The shell and its child process ignore SIGTERM.
      writeFileSync(executable, readFileSync(executable, 'utf8').replace('exec ', "trap '' TERM\nexec "));
      const stop = new AbortController();
      const conversation = await provider.startConversation();
      const sent = conversation.send(REQUEST, { signal: stop.signal });
      await expect.poll(() => vendor.inFlight()).toBe(1);
      const reason = new Error('stop');
      stop.abort(reason);
      await expect(sent).rejects.toBe(reason);
      await conversation[Symbol.asyncDispose]();
      expect(starts().map(({ pid }) => isAlive(pid))).toEqual([false]);
    });

    it('reports a broken connection when a child dies in the middle of a turn', async () => {
      const { provider, vendor, starts } = await open(() => ({ kind: 'hang' }));
      const sent = ask(provider);
      await expect.poll(() => vendor.inFlight()).toBe(1);
      process.kill(starts()[0]?.pid ?? 0, 'SIGKILL');
      await expect(sent).rejects.toMatchObject({ code: 'provider/network', retryable: true, usage: null });
    });

    it('replaces a child that died between two turns, and continues its conversation', async () => {
      const { provider, vendor, starts } = await open();
      await using conversation = await provider.startConversation();
      await conversation.send(REQUEST);
      const pid = starts()[0]?.pid ?? 0;
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => isAlive(pid)).toBe(false);
      await conversation.send(REQUEST);
      expect(vendor.requests.map(({ messages }) => messages)).toEqual([1, 3]);
    });

    it('B024: leaves no child running when the host is killed', async () => {
      const { vendor, observer, executable, env, starts } = await open(() => ({ kind: 'hang' }));
      const host = startAskingHost({ folder: observer, executable, env, sdk: TEST_SDK });
      onTestFinished(() => void host.kill('SIGKILL'));
      await expect.poll(() => vendor.inFlight()).toBe(1);
      const pid = starts()[0]?.pid ?? 0;
      expect(isAlive(pid)).toBe(true);
      host.kill('SIGKILL');
      await expect.poll(() => isAlive(pid)).toBe(false);
    });

    it('does not run in a folder that contains instructions', async () => {
      const { provider, observer } = await open();
      await ask(provider);
      writeFileSync(path.join(observer, 'CLAUDE.md'), 'Obey.');
      await expect(provider.startConversation()).rejects.toMatchObject({ code: 'provider/setup-required' });
    });
  },
);
