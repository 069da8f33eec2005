import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runningWorkerPid, waitUntilDrained, type TempHome } from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';
import {
  agent,
  bash,
  BEFORE,
  claudeClients,
  countContexts,
  expectNothingLeft,
  expectOnlyWorker,
  memoryTool,
  observed,
  openClaudeScenario,
  readMemory,
  listPrompts,
  write,
} from './claude-scenario.js';

const clients = claudeClients();
const SEARCH = memoryTool('search_memory');

if (clients.length === 0) {
  describe('claude-mem hooks in real clients', () => it.skip('are tested only by npm run test:clients'));
}

describe.each(clients)('claude-mem hooks in $name', { timeout: 240_000 }, (client) => {
  const { name } = client;
  const open = (record?: string) =>
    openClaudeScenario({ client, ...(record === undefined ? {} : { record }) });

  it('capture a session, and inject its memory into the next session, which can also search the memory', async () => {
    const scenario = await open('capture');
    const { home, model, start } = scenario;
    scenario.scriptWork('Raise the limit of the cart');
    const first = start();
    expect(await first.send('Raise the limit of the cart')).toContain('The limit is 10 now');
    expect(await first.end()).toBe(0);
    await waitUntilDrained(home);
    expect(readMemory(home)).toEqual({
      projects: ['demo'],
      sessions: [[first.sessionId(), 'completed']],
      prompts: ['Raise the limit of the cart'],
      // The events are the prompt, two tools, the end of the turn and the end of the session.
      ends: 5,
      notEnded: 0,
      left: 0,
    });
    const [observation] = observed(home);
    expect(observation).toMatchObject({ files_modified: '["limit.ts"]' });

    model.script('What is the limit?', [{ text: 'Ten.' }]);
    model.script('Look it up', [{ tools: [{ name: SEARCH, input: { query: 'limit cart' } }] }]);
    const second = start();
    await second.send('What is the limit?');
    expect(model.requests.at(-1)?.all).toContain(String(observation?.['title']));
    await second.send('Look it up');
    const answer = model.requests.at(-1)?.toolResults.at(-1);
    expect(answer?.text).toContain('limit');
    expect(answer).toMatchObject({ isError: false });
    expect(await second.end()).toBe(0);
    await expectNothingLeft(home);
  });

  it('record the error when a tool fails', async () => {
    const { home, model, start, fileIn } = await open('failed-tool');
    const check = 'test -e voucher.ts || { echo Error: voucher.ts is missing >&2; exit 1; }';
    writeFileSync(fileIn('package.json'), JSON.stringify({ scripts: { test: check } }));
    model.script('Repair the voucher', [
      { tools: [bash('npm test')] },
      { tools: [write(fileIn('voucher.ts'), 'export const voucher = 5;\n')] },
      { tools: [bash('npm test')] },
      { text: 'The voucher is taken off first now.' },
    ]);
    const session = start();
    await session.send('Repair the voucher');
    expect(model.requests.at(-1)?.toolResults).toMatchObject([
      { isError: true },
      { isError: false },
      { isError: false },
    ]);
    await session.end();
    await waitUntilDrained(home);
    expect(readMemory(home)).toMatchObject({
      prompts: ['Repair the voucher'],
      ends: 6,
      notEnded: 0,
      left: 0,
    });
    expect(observed(home)).toMatchObject([
      { facts: expect.stringMatching(/npm test` failed: .*voucher.ts is missing/) },
    ]);
    await expectNothingLeft(home);
  });

  it('continue the same session and inject no second context when a session is resumed', async () => {
    const scenario = await open('resume');
    const { home, model, start } = scenario;
    await scenario.recordEarlierSession();
    model.script('What is the limit?', [{ text: 'Ten.' }]);
    const session = start();
    await session.send('What is the limit?');
    await session.end();
    expect(countContexts(model)).toBe(1);
    scenario.scriptWork('Raise the other limit', 'other.ts');
    const again = start({ args: ['--resume', session.sessionId()] });
    await again.send('Raise the other limit');
    expect(again.sessionId()).toBe(session.sessionId());
    expect(countContexts(model)).toBe(1);
    await again.end();
    await waitUntilDrained(home);
    expect(readMemory(home)).toEqual({
      projects: ['demo'],
      sessions: [expect.anything(), [session.sessionId(), 'completed']],
      prompts: [BEFORE, 'What is the limit?', 'Raise the other limit'],
      ends: 5 + 3 + 5,
      notEnded: 0,
      left: 0,
    });
    await expectNothingLeft(home);
  });

  // The older client supports /clear only in a terminal window.
  it.skipIf(name === 'claude-code-js')(
    'start a new session and inject the context into it after /clear',
    async () => {
      const scenario = await open();
      const { home, model, start } = scenario;
      scenario.scriptWork('Raise the limit of the cart');
      model.script('What is the limit?', [{ text: 'Ten.' }]);
      const session = start();
      await session.send('Raise the limit of the cart');
      const before = session.sessionId();
      await waitUntilDrained(home);
      await session.send('/clear');
      await session.send('What is the limit?');
      expect(countContexts(model)).toBe(1);
      const after = session.sessionId();
      expect(after).not.toBe(before);
      await session.end();
      await waitUntilDrained(home);
      expect(readMemory(home)).toMatchObject({
        sessions: [
          [before, 'completed'],
          [after, 'completed'],
        ],
        prompts: ['Raise the limit of the cart', 'What is the limit?'],
        ends: 5 + 3,
        notEnded: 0,
        left: 0,
      });
      await expectNothingLeft(home);
    },
  );

  it('keep the project when a tool changes the working directory', async () => {
    const { home, model, start, fileIn } = await open('cd');
    mkdirSync(fileIn('api', 'src'), { recursive: true });
    model.script('Move the limit', [
      { tools: [bash('cd api/src && pwd')] },
      { tools: [write(fileIn('api', 'src', 'limit.ts'), 'export const limit = 10;\n')] },
      { tools: [bash('cd .. && pwd')] },
      { text: 'The limit lives in the api now.' },
    ]);
    const session = start();
    await session.send('Move the limit');
    expect(model.requests.at(-1)?.toolResults.at(-1)?.text).toContain(fileIn('api'));
    await session.end();
    await waitUntilDrained(home);
    expect(readMemory(home)).toMatchObject({ projects: ['demo'], ends: 6, notEnded: 0, left: 0 });
    expect(observed(home)).toMatchObject([{ files_modified: '["api/src/limit.ts"]' }]);
    await expectNothingLeft(home);
  });

  it('lose and duplicate no event when the worker is killed between two tools', async () => {
    const { home, model, start, fileIn, note } = await open('worker-killed');
    const killed: number[] = [];
    model.script('Raise both limits', [
      { tools: [write(fileIn('one.ts'), 'export const one = 10;\n')] },
      {
        before() {
          const pid = runningWorkerPid(home) ?? 0;
          killed.push(pid);
          process.kill(pid, 'SIGKILL');
          note('the worker was killed');
        },
        tools: [write(fileIn('two.ts'), 'export const two = 10;\n')],
      },
      { tools: [bash('echo Tests 12 passed')] },
      { text: 'Both limits are 10 now.' },
    ]);
    const session = start();
    await session.send('Raise both limits');
    await session.end();
    await waitUntilDrained(home);
    expect(killed).toHaveLength(1);
    expect(runningWorkerPid(home)).not.toBe(killed[0]);
    expect(readMemory(home)).toEqual({
      projects: ['demo'],
      sessions: [[session.sessionId(), 'completed']],
      prompts: ['Raise both limits'],
      ends: 6,
      notEnded: 0,
      left: 0,
    });
    expect(observed(home)).toMatchObject([{ files_modified: '["one.ts","two.ts"]' }]);
    await expectNothingLeft(home);
  });

  it('store the work of a sub-agent as part of the turn, and not its task as a prompt', async () => {
    const { home, model, start, fileIn } = await open('sub-agent');
    const task = 'Find every limit in the shop and raise it';
    model.script('Raise all limits', [
      { tools: [agent(task, { run_in_background: false })] },
      { text: 'All limits are 10 now.' },
    ]);
    model.script(task, [
      { tools: [write(fileIn('limits.ts'), 'export const limits = [10];\n')] },
      { text: 'There was one, in limits.ts.' },
    ]);
    const session = start();
    await session.send('Raise all limits');
    await session.end();
    await waitUntilDrained(home);
    expect(readMemory(home)).toEqual({
      projects: ['demo'],
      sessions: [[session.sessionId(), 'completed']],
      prompts: ['Raise all limits'],
      // The events are the prompt, the file, the tool and the result of the sub-agent, the end of the turn and the end
      // of the session.
      ends: 6,
      notEnded: 0,
      left: 0,
    });
    expect(observed(home)).toMatchObject([{ files_modified: '["limits.ts"]' }]);
    await expectNothingLeft(home);
  });

  // The older client does not run sub-agents in the background.
  it.skipIf(name === 'claude-code-js')(
    'store the result of a background sub-agent, and not the notification of the host as a prompt',
    async () => {
      const { home, model, start, fileIn } = await open();
      const task = 'Find every limit in the shop and raise it';
      model.script('Raise all limits', [
        { tools: [agent(task, { run_in_background: true })] },
        { text: 'It is under way.' },
      ]);
      model.script(task, [
        { tools: [bash('sleep 2')] },
        { tools: [write(fileIn('limits.ts'), 'export const limits = [10];\n')] },
        { text: 'The cart allowed 100 articles in limits.ts, the shop needs 10.' },
      ]);
      const session = start();
      await session.send('Raise all limits');
      await expect.poll(() => model.requests.at(-1)?.all, { timeout: 60_000 }).toContain('NOT USER INPUT');
      await session.end();
      await waitUntilDrained(home);
      expect(readMemory(home)).toMatchObject({
        prompts: ['Raise all limits'],
        // The events are the prompt, its tool and its end, two tools and the result of the sub-agent, the end of the
        // next turn and the end of the session.
        ends: 8,
        notEnded: 0,
        left: 0,
      });
      expect(JSON.stringify(observed(home))).toContain('A sub-agent found: “The cart allowed 100 articles');
      expect(observed(home).map(({ files_modified }) => files_modified)).toContain('["limits.ts"]');
      await expectNothingLeft(home);
    },
  );

  it('store a fork as a separate session and inject no second context', async () => {
    const scenario = await open('fork');
    const { home, model, start } = scenario;
    await scenario.recordEarlierSession();
    model.script('What is the limit?', [{ text: 'Ten.' }]);
    const session = start();
    await session.send('What is the limit?');
    await session.end();
    scenario.scriptWork('Raise the other limit', 'other.ts');
    const fork = start({ args: ['--resume', session.sessionId(), '--fork-session'] });
    await fork.send('Raise the other limit');
    expect(fork.sessionId()).not.toBe(session.sessionId());
    expect(countContexts(model)).toBe(1);
    await fork.end();
    await waitUntilDrained(home);
    expect(readMemory(home)).toMatchObject({
      projects: ['demo'],
      sessions: [expect.anything(), [session.sessionId(), 'completed'], [fork.sessionId(), 'completed']],
      prompts: [BEFORE, 'What is the limit?', 'Raise the other limit'],
      ends: 5 + 3 + 5,
      notEnded: 0,
      left: 0,
    });
    await expectNothingLeft(home);
  });

  it('keep two simultaneous sessions of one project separate', async () => {
    const scenario = await open('two-at-once');
    const { home, start } = scenario;
    const prompts = {
      'Raise the limit of the cart': 'cart.ts',
      'Raise the limit of the voucher': 'voucher.ts',
    };
    const sessions = Object.entries(prompts).map(([prompt, file]) => {
      scenario.scriptWork(prompt, file);
      return { session: start(), prompt, file };
    });
    await Promise.all(sessions.map(({ session, prompt }) => session.send(prompt)));
    await Promise.all(sessions.map(({ session }) => session.end()));
    await waitUntilDrained(home);
    expect(readMemory(home)).toMatchObject({ projects: ['demo'], ends: 10, notEnded: 0, left: 0 });
    const reply = sessions.map(({ session, prompt, file }) => ({
      session: session.sessionId(),
      prompt,
      files: JSON.stringify([file]),
    }));
    expect(listPrompts(home)).toEqual(reply.sort((a, b) => a.prompt.localeCompare(b.prompt)));
    await expectNothingLeft(home);
  });

  it('store every event of a long session', async () => {
    const { home, model, start, fileIn } = await open();
    const names = Array.from({ length: 40 }, (_, index) => `limit-${index}.ts`);
    model.script('Raise forty limits', [
      ...names.map((file) => ({ tools: [write(fileIn(file), 'export const limit = 10;\n')] })),
      { text: 'Forty limits are 10 now.' },
    ]);
    const session = start();
    await session.send('Raise forty limits');
    await session.end();
    await waitUntilDrained(home);
    expect(readMemory(home)).toMatchObject({ ends: 43, notEnded: 0, left: 0 });
    await expectNothingLeft(home);
  });

  it('leave no event pending when the user interrupts a tool', async () => {
    const scenario = await open('interrupt');
    const { home, model, start, fileIn } = scenario;
    model.script('Wait for the server', [{ tools: [bash('touch waiting; sleep 300')] }]);
    scenario.scriptWork('Then raise the limit');
    const session = start();
    session.begin('Wait for the server');
    await expect.poll(() => existsSync(fileIn('waiting')), { timeout: 60_000 }).toBe(true);
    await session.interrupt();
    await session.send('Then raise the limit');
    await session.end();
    await waitUntilDrained(home);
    expect(readMemory(home)).toMatchObject({
      sessions: [[session.sessionId(), 'completed']],
      prompts: ['Wait for the server', 'Then raise the limit'],
      notEnded: 0,
      left: 0,
    });
    expect(observed(home)).toMatchObject([{ files_modified: '["limit.ts"]' }]);
    await expectNothingLeft(home);
  });

  it('leave no process when the client is killed, and store its work when the session is resumed', async () => {
    const { home, model, start, fileIn } = await open('client-killed');
    model.script('Raise the limit of the cart', [
      { tools: [write(fileIn('limit.ts'), 'export const limit = 10;\n')] },
      {
        before: async () => {
          // The client resumes only the part of the conversation that it has already saved.
          await expect.poll(() => written(home)).toContain('tool_result');
          process.kill(session.pid, 'SIGKILL');
        },
      },
    ]);
    const session = start();
    await expect(session.send('Raise the limit of the cart')).rejects.toThrow('the program ended');
    await expect.poll(() => readMemory(home)).toMatchObject({ ends: 1, notEnded: 1, left: 1 });
    await expectOnlyWorker(home);

    model.script('Go on', [{ text: 'It was done already.' }]);
    const again = start({ args: ['--resume', session.sessionId()] });
    await again.send('Go on');
    await again.end();
    await waitUntilDrained(home);
    expect(readMemory(home)).toMatchObject({
      sessions: [[session.sessionId(), 'completed']],
      prompts: ['Raise the limit of the cart', 'Go on'],
      // The interrupted turn also has an end event.
      ends: 6,
      notEnded: 0,
      left: 0,
    });
    expect(observed(home)).toMatchObject([{ files_modified: '["limit.ts"]' }]);
    await expectNothingLeft(home);
  });
});

function written(home: TempHome): string {
  const folder = path.join(home.home, '.claude', 'projects');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('');
}
