import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bySize, isFullRun } from '@claude-mem/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFakeWorker } from './testing/fake-worker.js';
import { withRoundScores } from './testing/installed-program.js';
import { createProgramActions, waitFor } from './testing/program-actions.js';
import { createProgramHome, type ProgramHome } from './testing/run-inside.js';

let test: ProgramHome;
let project: string;
let dataDir: string;
let env: Record<string, string>;

beforeEach(() => void ({ project, dataDir, env } = test = createProgramHome()));
afterEach(() => test[Symbol.asyncDispose]());

const { run, status, hook, editFields, waitForSpool, rememberOneTurn } = createProgramActions(() => test);

describe('stored events', () => {
  it('returns the same records with and without the worker', async () => {
    // the full run includes the semantic search
    if (isFullRun) delete env['CLAUDE_MEM_EMBEDDER'];
    await run('start');
    await rememberOneTurn();
    expect(await run('reindex')).toMatchObject({ exit: 0, stderr: '' });
    // the time limit of a search may end before the model is loaded
    const search = async (...args: string[]) => {
      let answer = await run('search', ...args);
      for (
        let again = 0;
        again < 5 && /vectors took too long/.test(answer.stdout + answer.stderr);
        again += 1
      )
        answer = await run('search', ...args);
      return answer;
    };
    const askAll = async () => [
      await search('upload', 'limit'),
      await search('limit', '--project', 'demo', '--json'),
      await run('show', '#1'),
      await run('show', '1', 's1', 'P1,#1', '--json'),
      await run('show', 'S1', 'P1'),
      await run('queue', '--json'),
      await run('usage', '--json'),
    ];
    const ask = async () => (await askAll()).map(withRoundScores);
    const online = await ask();
    expect(online.map(({ exit, stderr }) => [exit, stderr])).toEqual(online.map(() => [0, '']));
    expect(online[0]?.stdout).toMatch(/^#1 .* change .*limit/);
    expect(online[2]?.stdout).toMatch(/^.*, project demo, session 1, turn 1$/m);
    expect(online[4]?.stdout).toMatch(
      /^S1 summary: .*\n.*, project demo, session 1, turn 1\n[^]*\n\nP1 prompt\n.*, project demo, session 1, turn 1\n\nRaise the limit\n$/,
    );
    const preview = await run('context', '--preview');
    expect(preview.stdout).toContain('<claude-mem-context>');
    const history = await run('context', '--file', 'a.ts');
    expect(history).toMatchObject({ exit: 0, stderr: expect.stringContaining(': 1 record, about') });
    expect(history.stdout).toContain('recorded about `a.ts`');
    const recall = await run('context', '--prompt', 'why did uploads fail at the limit?');
    expect(recall.stderr).not.toContain('CLAUDE_MEM_RECALL_ON_PROMPT is off');
    const before = await status();
    await run('stop');
    expect(await ask()).toEqual(online);
    expect((await status()).memory?.observations).toBe(before.memory?.observations);
    expect((await run('status')).stdout).toMatch(/^memory .* 1 session, 1 project, /m);
    expect(await run('show', '1', '77')).toMatchObject({ exit: 1, stderr: 'Not found: #77\n' });
    expect(await run('show', '1', 'P77')).toMatchObject({ exit: 1, stderr: 'Not found: P77\n' });
    expect(await run('show', '77')).toEqual({ exit: 1, stdout: '', stderr: 'Not found: #77\n' });
    expect(await run('search', 'x', '--project', 'other')).toMatchObject({ exit: 1 });
  });

  it('reports once in status and once in doctor why the observer is paused', async () => {
    env['CLAUDE_MEM_PROVIDER'] = 'gemini';
    await run('start');
    await waitFor(async () => (await status()).observer.state === 'paused');
    const { observer, notices } = await status();
    expect(observer).toMatchObject({ provider: 'gemini', problem: expect.stringContaining('has no key') });
    expect(notices).toEqual([observer.problem]);
    const shown = await run('status');
    expect(shown.stdout.match(/has no key/g)).toHaveLength(1);
    const examined = await run('doctor');
    expect(examined.stdout.match(/has no key/g)).toHaveLength(1);
    expect(examined.stdout).toContain('→ Run: claude-mem settings set CLAUDE_MEM_GEMINI_API_KEY');
  });

  it('B138: stores one event when several processes send it', async () => {
    await run('start');
    await hook('UserPromptSubmit', { prompt: 'Raise the limit' });
    const runs = await Promise.all(
      Array.from({ length: bySize({ quick: 5, full: 10 }) }, () => hook('PostToolUse', editFields())),
    );
    expect(runs.filter(({ exit, stderr }) => exit !== 0 || stderr !== '')).toEqual([]);
    await waitForSpool();
    const items = JSON.parse((await run('queue', '--json')).stdout) as unknown[];
    expect(items).toHaveLength(1);
    expect(await run('queue', 'drop', '1', '--yes')).toMatchObject({ exit: 0, stdout: '1 dropped.\n' });
    expect((await run('queue')).stdout).toBe('The queue is empty.\n');
    expect((await run('queue', 'retry', '--parked')).stdout).toBe('0 will be retried.\n');
  });

  it('stores events of the hook commands and always exits with 0', async () => {
    await run('start');
    const event = (payload: object) => JSON.stringify({ session_id: 's-2', cwd: project, ...payload });
    const calls: [string[], string][] = [
      [['context'], event({ hook_event_name: 'SessionStart', source: 'startup' })],
      [['new'], event({ prompt: 'Hello' })],
      [['save'], event(editFields())],
      [['summary', '--host', 'claude-code'], event({ last_assistant_message: 'Done.' })],
      [['hook', 'claude-code', 'SessionEnd'], event({ reason: 'other' })],
      [['hook', 'claude-code', 'UserPromptSubmit'], '{"session_id":"abc","cwd":'],
      [['hook', 'claude-code', 'UserPromptSubmit'], ''],
      [['hook'], '{}'],
      [['hook', '--wrong'], '{}'],
    ];
    for (const [args, input] of calls)
      expect(await test.runWithInput(input, ...args), args.join(' ')).toMatchObject({ exit: 0, stderr: '' });
    await waitForSpool();
    expect((await status()).memory).toMatchObject({ sessions: 1, prompts: 1 });
  });

  it('does not keep an event when the worker reads it from the spool without answering', async () => {
    const spool = join(dataDir, 'spool');
    mkdirSync(join(dataDir, 'starting'), { recursive: true });
    await using worker = await startFakeWorker(join(dataDir, 'worker.sock'), () => {
      for (const name of readdirSync(spool)) rmSync(join(spool, name));
    });
    const event = JSON.stringify({ session_id: 's-2', cwd: project, hook_event_name: 'SessionStart' });
    expect(await test.runWithInput(event, 'context')).toEqual({ exit: 0, stdout: '', stderr: '' });
    expect(worker.received).toHaveLength(1);
    expect(readdirSync(spool)).toEqual([]);
  });
});
