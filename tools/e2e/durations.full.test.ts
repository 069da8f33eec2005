import path from 'node:path';
import { randomFrom } from '@claude-mem/core/testing';
import {
  claudePayloads,
  createTempHome,
  startWorker,
  type HookRun,
  type WorkerProcess,
} from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';
import { createLoopedFolder } from './create-looped-folder.js';
import { syntheticRecord } from './synthetic-record.mjs';
import { hookIn, playTurn } from './play-turn.js';
import { waitForFirstVectors } from './vector-progress.js';

/** The median ignores runs that other programs on the machine slowed down. */
const medianOf = (runs: readonly HookRun[]) =>
  runs.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(runs.length / 2)] ?? Infinity;

async function timeToEnd(worker: WorkerProcess, signal: NodeJS.Signals): Promise<number> {
  const started = performance.now();
  expect(await worker.kill(signal)).toBe(0);
  return performance.now() - started;
}

describe('durations', () => {
  it('P007: the worker ends within two seconds after a signal', async () => {
    await using home = await createTempHome();
    const took: number[] = [];
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      await using worker = await startWorker(home);
      await playTurn(home, { cwd: home.project });
      took.push(await timeToEnd(worker, signal));
    }
    expect(Math.min(...took)).toBeLessThan(2_000);
  });

  it('P007: the worker ends within two seconds after a signal while it embeds', async () => {
    await using home = await createTempHome();
    const random = randomFrom(4);
    const took: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      await using worker = await startWorker(home);
      const body = Array.from({ length: 300 }, (_, index) =>
        syntheticRecord({ number: 300 * round + index + 1, random, project: home.project }),
      );
      await worker.request({ method: 'POST', path: '/api/import', body });
      await waitForFirstVectors(worker);
      took.push(await timeToEnd(worker, 'SIGTERM'));
    }
    expect(Math.min(...took)).toBeLessThan(2_000);
  }, 120_000);

  it('B168: the hooks for session start and tool use return within a second when the worker is healthy', async () => {
    await using home = await createTempHome();
    await using _worker = await startWorker(home);
    const payloads = claudePayloads({ cwd: home.project });
    const runs: HookRun[] = [];
    for (let index = 0; index < 70; index += 1) {
      const isStart = index % 7 < 2;
      const payload = isStart ? payloads.sessionStart('resume') : payloads.toolUse();
      runs.push(await hookIn(home, home.project)(isStart ? 'SessionStart' : 'PostToolUse', payload));
    }
    expect(medianOf(runs)).toBeLessThan(1_000);
  });

  it('B169: a session start is not slower in a folder with thousands of files and a loop of links', async () => {
    await using home = await createTempHome();
    await using _worker = await startWorker(home);
    const folder = path.join(home.home, 'huge');
    createLoopedFolder(folder, { filesPerPart: 250 });
    const fastest = { huge: Infinity, small: Infinity };
    for (let round = 0; round < 5; round += 1)
      for (const [name, cwd] of [['huge', folder] as const, ['small', home.project] as const]) {
        const { ms } = await hookIn(home, cwd)('SessionStart', claudePayloads({ cwd }).sessionStart());
        fastest[name] = Math.min(fastest[name], ms);
      }
    expect(fastest.huge).toBeLessThan(5 * fastest.small);
  });

  it('B167: the hook at the end of a turn returns within a second when a hundred events are pending', async () => {
    await using home = await createTempHome();
    await using _worker = await startWorker(home);
    const payloads = claudePayloads({ cwd: home.project });
    const fire = hookIn(home, home.project);
    await fire('UserPromptSubmit', payloads.prompt('Raise a hundred limits'));
    for (let part = 0; part < 10; part += 1)
      await Promise.all(Array.from({ length: 10 }, () => fire('PostToolUse', payloads.toolUse())));
    const stop = await fire('Stop', payloads.stop('Raised a hundred limits.'));
    const end = await fire('SessionEnd', payloads.sessionEnd('prompt_input_exit'));
    expect(Math.min(stop.ms, end.ms)).toBeLessThan(1_000);
  });
});
