import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  claudePayloads,
  createTempHome,
  descendantsOf,
  peekDatabase,
  processesOf,
  readHealth,
  runHook,
  startWorker,
  waitUntilDrained,
  type HookRun,
  type TempHome,
} from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';
import { contextFor, hookIn, playTurn } from './play-turn.js';

/** Other programs on the machine may hold up many of them. */
const medianOf = (runs: readonly HookRun[]) =>
  runs.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(runs.length / 2)] ?? Infinity;

/** A hook that had no answer in time starts a worker, which looks whether it is needed and ends. */
const expectOnly = (home: TempHome, pid: number) =>
  expect.poll(() => processesOf(home.dataDir).map((process) => process.pid)).toEqual([pid]);

describe('hooks and worker under everyday load', () => {
  it('B024 B026: sessions and prompts leave no process beside the one worker', async () => {
    await using home = await createTempHome();
    await using worker = await startWorker(home);
    for (let round = 0; round < 6; round += 1) {
      const sessions = Array.from({ length: 5 }, () => claudePayloads({ cwd: home.project }));
      await Promise.all(
        sessions.map(async (payloads) => {
          for (let prompt = 0; prompt < 4; prompt += 1) {
            await hookIn(home, home.project)(
              'UserPromptSubmit',
              payloads.prompt(`Prompt ${round} ${prompt}`),
            );
          }
          await hookIn(home, home.project)('PostToolUse', payloads.toolUse());
          await hookIn(home, home.project)('Stop', payloads.stop('Raised it.'));
        }),
      );
      expect(descendantsOf(worker.pid).length).toBeLessThanOrEqual(4);
    }
    await waitUntilDrained(home);
    expect(descendantsOf(worker.pid)).toEqual([]);
    await expectOnly(home, worker.pid);
  }, 60_000);

  it('B168: a healthy worker answers 20 starts and 50 tool uses fast and is never restarted', async () => {
    await using home = await createTempHome();
    await using worker = await startWorker(home);
    const payloads = claudePayloads({ cwd: home.project });
    const runs: HookRun[] = [];
    for (let index = 0; index < 70; index += 1) {
      const isStart = index % 7 < 2;
      const payload = isStart ? payloads.sessionStart('resume') : payloads.toolUse();
      runs.push(await hookIn(home, home.project)(isStart ? 'SessionStart' : 'PostToolUse', payload));
    }
    expect(medianOf(runs)).toBeLessThan(1_000);
    expect((await readHealth(home)).pid).toBe(worker.pid);
    await expectOnly(home, worker.pid);
  }, 60_000);

  it('B169: a session starts at once in a folder with thousands of files and a loop of links', async () => {
    await using home = await createTempHome();
    await using _worker = await startWorker(home);
    const folder = path.join(home.home, 'huge');
    for (let part = 0; part < 20; part += 1) {
      const inner = path.join(folder, `part-${part}`);
      mkdirSync(inner, { recursive: true });
      for (let file = 0; file < 250; file += 1) writeFileSync(path.join(inner, `f${file}`), '');
      symlinkSync(folder, path.join(inner, 'loop'));
    }
    const fastest = { huge: Infinity, small: Infinity };
    for (let round = 0; round < 5; round += 1)
      for (const [name, cwd] of [['huge', folder] as const, ['small', home.project] as const]) {
        const { ms } = await hookIn(home, cwd)('SessionStart', claudePayloads({ cwd }).sessionStart());
        fastest[name] = Math.min(fastest[name], ms);
      }
    expect(fastest.huge).toBeLessThan(5 * fastest.small);
  }, 30_000);

  it('B050: two hosts that store at once lose nothing of each other', async () => {
    await using home = await createTempHome();
    await using _worker = await startWorker(home);
    const sessions = [1, 2].map(() => claudePayloads({ cwd: home.project }));
    await Promise.all(
      sessions.map(async (payloads) => {
        await hookIn(home, home.project)('UserPromptSubmit', payloads.prompt('Raise twenty limits'));
        await Promise.all(
          Array.from({ length: 20 }, () => hookIn(home, home.project)('PostToolUse', payloads.toolUse())),
        );
        await hookIn(home, home.project)('Stop', payloads.stop('Raised twenty limits.'));
      }),
    );
    await waitUntilDrained(home);
    using peek = peekDatabase(home);
    expect(peek.integrity()).toBe('ok');
    const { json } = await _worker.request({ path: '/api/stats' });
    const { outcomes } = json as { outcomes: Record<string, number> };
    // 20 tool uses and the end of the turn, twice
    expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(42);
  }, 60_000);

  it('B138: one tool use fired by ten processes at once is one event', async () => {
    await using home = await createTempHome();
    await using worker = await startWorker(home);
    const payloads = claudePayloads({ cwd: home.project });
    await hookIn(home, home.project)('UserPromptSubmit', payloads.prompt('Raise the limit'));
    const payload = payloads.toolUse();
    const runs = await Promise.all(Array.from({ length: 10 }, () => runHook(home, 'PostToolUse', payload)));
    expect(runs.map(({ exit }) => exit)).toEqual(Array(10).fill(0));
    await hookIn(home, home.project)('Stop', payloads.stop('Raised the limit.'));
    await waitUntilDrained(home);
    const { json } = await worker.request({ path: '/api/stats' });
    const { outcomes } = json as { outcomes: Record<string, number> };
    expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(2);
  }, 30_000);

  it('P008: what one session did is in the context of the next', async () => {
    await using home = await createTempHome();
    await playTurn(home, {
      cwd: home.project,
      file: 'src/heron.ts',
      message: 'Fixed the heron counter in src/heron.ts: it started at one.',
    });
    await waitUntilDrained(home);
    const context = await contextFor(home, home.project);
    expect(context).toContain('heron');
    expect(context).toMatch(/^<claude-mem-context[\s>]/);
  }, 30_000);
});
