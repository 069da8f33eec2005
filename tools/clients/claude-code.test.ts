import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createClaudeCodeProvider } from '@claude-mem/agent-providers/claude-code';
import {
  claudeCodeDialect,
  createClaudeCodeHome,
  createWireFake,
  describeProviderOnTheWire,
  LEFT_OUT_OF_CLAUDE_CODE,
  loadTestSdk,
  readStarts,
  startAskingHost,
  TEST_SDK,
  writeFakeClaude,
  type WireAnswer,
} from '@claude-mem/agent-providers/testing';
import { createObserverBatch } from '@claude-mem/core/testing';
import { adapterFor } from '@claude-mem/host-adapters';
import { isProcessAlive } from '@claude-mem/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

/** Command of each real client by name. Without clients, the tests are skipped. */
const clients = Object.entries(
  JSON.parse(process.env['CLAUDE_MEM_CLIENTS'] ?? '{}') as Record<string, string>,
).map(([name, file]) => ({ name, command: file.endsWith('.js') ? [process.execPath, file] : [file] }));

const REQUEST = { instructions: 'Remember.', prompt: 'The cart has a total.', batch: createObserverBatch() };
const OK: WireAnswer = { kind: 'reply', text: '<summary/>' };
const TOKEN = 'sk-ant-oat01-of-the-person';

if (clients.length === 0) {
  describe('real clients', () => it.skip('are tested only by npm run test:clients'));
}

describe.each(clients)('$name', ({ name, command }) => {
  describeProviderOnTheWire(`claude-code with ${name}`, {
    dialect: claudeCodeDialect,
    excludedCases: LEFT_OUT_OF_CLAUDE_CODE,
    open({ baseUrl, apiKey, timeouts, clock }) {
      const { bin, observer, env } = createClaudeCodeHome(process.env);
      return createClaudeCodeProvider({
        folder: observer,
        env,
        executable: writeFakeClaude({ folder: bin, url: baseUrl, apiKey, command }),
        model: 'claude-haiku-4-5',
        loadSdk: loadTestSdk,
        maxChildren: 8,
        timeouts,
        clock,
      });
    },
  });

  /** Creates a home folder with a logged-in user. */
  async function open(answer: () => WireAnswer = () => OK) {
    const home = createClaudeCodeHome(process.env);
    const expiresAt = Date.now() + 86_400_000;
    const claudeAiOauth = {
      ...{ accessToken: TOKEN, refreshToken: 'sk-ant-ort01-of-the-person', expiresAt },
      ...{ scopes: ['user:inference', 'user:profile'], subscriptionType: 'max' },
    };
    writeFileSync(path.join(home.config, '.credentials.json'), JSON.stringify({ claudeAiOauth }));
    const vendor = await createWireFake({ dialect: claudeCodeDialect, answer });
    onTestFinished(() => vendor[Symbol.asyncDispose]());
    const startsFile = path.join(home.home, 'starts');
    const executable = writeFakeClaude({ folder: home.bin, url: vendor.url, command, startsFile });
    const openProvider = () =>
      createClaudeCodeProvider({ folder: home.observer, env: home.env, executable, loadSdk: loadTestSdk });
    return { ...home, vendor, executable, openProvider, starts: () => readStarts(startsFile) };
  }

  it('uses the login of the user, resumes a conversation in another process, and leaves no process behind', async () => {
    const { vendor, openProvider, starts } = await open();
    let memorySessionId: string | undefined;
    for (const prompts of [['one', 'two'], ['three']]) {
      await using conversation = await openProvider().startConversation(
        memorySessionId === undefined ? {} : { resume: memorySessionId },
      );
      for (const prompt of prompts) {
        const reply = await conversation.send({ ...REQUEST, prompt });
        expect(reply.memorySessionId).toBe((memorySessionId ??= reply.memorySessionId));
      }
    }
    expect(vendor.requests.map(({ messages }) => messages)).toEqual([1, 3, 5]);
    expect(vendor.requests.map(({ key, hasTools }) => [key, hasTools])).toEqual(
      Array(3).fill([TOKEN, false]),
    );
    expect(starts().filter(({ pid }) => isProcessAlive(pid))).toEqual([]);
  });

  it('starts a new conversation when the stored id is unknown', async () => {
    const { openProvider } = await open();
    const resume = '11111111-1111-4111-8111-111111111111';
    await using conversation = await openProvider().startConversation({ resume });
    const reply = await conversation.send(REQUEST);
    expect(reply).toMatchObject({ kind: 'text', text: '<summary/>' });
    expect(reply.memorySessionId).not.toBe(resume);
  });

  it('B101 B104: uses no hooks, memory files, mentioned files or slash commands of the user', async () => {
    const { home, config, env, vendor, executable, openProvider } = await open();
    const fired = path.join(home, 'fired');
    const hook = path.join(home, 'hook.sh');
    writeFileSync(hook, `#!/bin/sh\necho "$2" >> '${fired}'\n`, { mode: 0o755 });
    await adapterFor('claude-code')?.install({ home, hookScript: hook });
    expect(readFileSync(path.join(config, 'settings.json'), 'utf8')).toContain(hook);
    for (const folder of [config, home, path.join(home, 'data')]) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'CLAUDE.md'), 'MEMORY-OF-THE-PERSON');
      writeFileSync(path.join(folder, 'AGENTS.md'), 'MEMORY-OF-THE-PERSON');
    }
    writeFileSync(path.join(home, 'secret.txt'), 'SECRET-OF-THE-PERSON');
    await using conversation = await openProvider().startConversation();
    await conversation.send({ ...REQUEST, prompt: `Look at @${home}/secret.txt and @~/secret.txt` });
    const prompts = [`Look at @${home}/secret.txt and @~/secret.txt`];
    // Older versions run slash commands in prompts. Prompts of the observer never begin with one.
    if (name === 'claude-code-native') {
      await conversation.send({ ...REQUEST, prompt: '/compact' });
      prompts.push('/compact');
    }
    expect(vendor.requests.map(({ prompt }) => prompt)).toEqual(prompts);
    const sent = vendor.requests.map(({ raw }) => String(raw)).join('\n');
    expect(sent).not.toMatch(/MEMORY-OF-THE-PERSON|SECRET-OF-THE-PERSON/);
    expect(existsSync(fired)).toBe(false);

    // The same program runs the hooks when a user starts it.
    const person = spawn(executable, ['-p', 'hello'], { cwd: home, env, stdio: 'ignore' });
    await new Promise((resolve) => person.once('close', resolve));
    expect(readFileSync(fired, 'utf8')).toMatch(/SessionStart[\s\S]*UserPromptSubmit[\s\S]*Stop/);
  });

  it('does not continue a reply that reached the token limit', async () => {
    const { vendor, openProvider } = await open(() => ({
      kind: 'reply',
      text: 'cut off',
      stop: 'max-tokens',
    }));
    await using conversation = await openProvider().startConversation();
    expect(await conversation.send(REQUEST)).toMatchObject({ text: 'cut off', isTruncated: true });
    await conversation[Symbol.asyncDispose]();
    // The client retries within milliseconds. More than one additional request means that the process continues.
    expect(vendor.requests.length).toBeLessThanOrEqual(2);
  });

  it('leaves no child process when the host process is killed', async () => {
    const { vendor, observer, executable, env, starts } = await open(() => ({ kind: 'hang' }));
    const host = startAskingHost({ folder: observer, executable, env, sdk: TEST_SDK });
    onTestFinished(() => void host.kill('SIGKILL'));
    await expect.poll(() => vendor.inFlight(), { timeout: 60_000 }).toBe(1);
    host.kill('SIGKILL');
    const pid = starts()[0]?.pid ?? 0;
    await expect.poll(() => isProcessAlive(pid), { timeout: 20_000 }).toBe(false);
  });
});
