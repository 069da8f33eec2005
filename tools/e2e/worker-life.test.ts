import { cpSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  claudePayloads,
  createTempHome,
  isAlive,
  peekDatabase,
  processesOf,
  runHook,
  spooledFiles,
  startWorker,
  waitFor,
  waitUntilDrained,
  workspacePaths,
  type TempHome,
} from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';
import { hookIn, playTurn } from './play-turn.js';

describe('the life of the worker', () => {
  it('P007: told to end it does so within two seconds and leaves nothing but its data', async () => {
    await using home = await createTempHome();
    const took: number[] = [];
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      await using worker = await startWorker(home);
      await playTurn(home, { cwd: home.project });
      const started = performance.now();
      expect(await worker.kill(signal)).toBe(0);
      took.push(performance.now() - started);
      expect(processesOf(home.dataDir)).toEqual([]);
      for (const name of ['worker.sock', 'worker.json', 'starting']) {
        expect(existsSync(path.join(home.dataDir, name)), name).toBe(false);
      }
    }
    // the quickest: another program on the machine may hold up one of them
    expect(Math.min(...took)).toBeLessThan(2_000);
    using peek = peekDatabase(home);
    expect(peek.integrity()).toBe('ok');
  }, 60_000);

  it('B025: a worker that never comes up is started once in a while, and every event is kept', async () => {
    await using home = await createTempHome();
    const { script, starts } = brokenInstallation(home, 'setTimeout(() => process.exit(1), 500)');
    const payloads = claudePayloads({ cwd: home.project });
    let atOnce = 0;
    for (let round = 0; round < 5; round += 1) {
      const runs = Array.from({ length: 20 }, () =>
        runHook(home, 'PostToolUse', payloads.toolUse(), { script }),
      );
      atOnce = Math.max(atOnce, workersOf(home).length);
      expect((await Promise.all(runs)).map(({ exit }) => exit)).toEqual(Array(20).fill(0));
      atOnce = Math.max(atOnce, workersOf(home).length);
      // the pause goes on however long the hooks of a round take
      const now = new Date();
      utimesSync(path.join(home.dataDir, 'starting'), now, now);
    }
    expect(atOnce).toBeLessThanOrEqual(1);
    await waitFor(() => starts() > 0, { what: 'the first start' });
    expect(starts()).toBe(1);
    expect(spooledFiles(home)).toHaveLength(100);
    // the pause is over: one more try, not a hundred
    const past = new Date(Date.now() - 40_000);
    utimesSync(path.join(home.dataDir, 'starting'), past, past);
    await Promise.all(
      Array.from({ length: 20 }, () => runHook(home, 'PostToolUse', payloads.toolUse(), { script })),
    );
    await waitFor(() => starts() === 2, { what: 'the second start' });
    await waitFor(() => workersOf(home).length === 0, { what: 'the broken worker to end' });
    expect(starts()).toBe(2);
  }, 60_000);

  it('B006: twenty sessions that start at once without a worker start one', async () => {
    await using home = await createTempHome();
    const runs = await Promise.all(
      Array.from({ length: 20 }, () =>
        runHook(home, 'SessionStart', claudePayloads({ cwd: home.project }).sessionStart()),
      ),
    );
    for (const run of runs) expect(run).toMatchObject({ exit: 0, stderr: '' });
    await waitUntilDrained(home);
    // a hook that had no answer in time starts one more, which looks whether it is needed and ends
    await expect.poll(() => workersOf(home)).toHaveLength(1);
  }, 30_000);

  it('B167: the end of a turn returns at once with a hundred events still unread', async () => {
    await using home = await createTempHome();
    await using _worker = await startWorker(home);
    const payloads = claudePayloads({ cwd: home.project });
    const fire = hookIn(home, home.project);
    await fire('UserPromptSubmit', payloads.prompt('Raise a hundred limits'));
    for (let part = 0; part < 10; part += 1) {
      await Promise.all(Array.from({ length: 10 }, () => fire('PostToolUse', payloads.toolUse())));
    }
    const stop = await fire('Stop', payloads.stop('Raised a hundred limits.'));
    const end = await fire('SessionEnd', payloads.sessionEnd('prompt_input_exit'));
    // the quicker: another program on the machine may hold up one of them
    expect(Math.min(stop.ms, end.ms)).toBeLessThan(1_000);
    await waitUntilDrained(home);
    using peek = peekDatabase(home);
    expect(peek.value('SELECT count(*) FROM session_summaries')).toBe(1);
  }, 60_000);
});

const workersOf = (home: TempHome) =>
  processesOf(home.dataDir).filter(({ command, pid }) => command.includes('main.js') && isAlive(pid));

/** The hook script beside a worker that only notes that it was started, and then does what it is given. */
function brokenInstallation(home: TempHome, body: string) {
  const modules = path.join(home.root, 'broken', 'node_modules', '@claude-mem');
  const dist = path.join(modules, 'hooks-cli', 'dist');
  cpSync(path.dirname(workspacePaths.hookScript), dist, { recursive: true });
  mkdirSync(path.join(modules, 'worker', 'dist'), { recursive: true });
  const log = path.join(home.root, 'starts.log');
  writeFileSync(
    path.join(modules, 'worker', 'dist', 'main.js'),
    `require('node:fs').appendFileSync(${JSON.stringify(log)}, 'started\\n');\n${body};\n`,
  );
  return {
    script: path.join(dist, 'hook.sh'),
    starts: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0),
  };
}
