import { cpSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  bySize,
  claudePayloads,
  createTempHome,
  isProcessAlive,
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
import { openObserver, plausibleReply } from '@claude-mem/testing/observers';
import { describe, expect, it } from 'vitest';
import { hookIn, playTurn } from './play-turn.js';

const ROUNDS = bySize({ quick: 2, full: 5 });
const HOOKS = bySize({ quick: 8, full: 20 });

describe('worker lifecycle', () => {
  it('P007: ends and leaves only its data when it receives a signal', async () => {
    await using home = await createTempHome({ env: { CLAUDE_MEM_EMBEDDER: 'none' } });
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      await using worker = await startWorker(home);
      await playTurn(home, { cwd: home.project });
      expect(await worker.kill(signal)).toBe(0);
      expect(processesOf(home.dataDir)).toEqual([]);
      for (const name of ['worker.sock', 'worker.json', 'starting']) {
        expect(existsSync(path.join(home.dataDir, name)), name).toBe(false);
      }
    }
    using peek = peekDatabase(home);
    expect(peek.integrity()).toBe('ok');
  });

  it('B025: pauses between starts and keeps every event when the worker never becomes ready', async () => {
    await using home = await createTempHome();
    const { script, starts } = brokenInstallation(home, 'setTimeout(() => process.exit(1), 500)');
    const payloads = claudePayloads({ cwd: home.project });
    let atOnce = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const runs = Array.from({ length: HOOKS }, () =>
        runHook(home, 'PostToolUse', payloads.toolUse(), { script }),
      );
      atOnce = Math.max(atOnce, workersOf(home).length);
      expect((await Promise.all(runs)).map(({ exit }) => exit)).toEqual(Array(HOOKS).fill(0));
      atOnce = Math.max(atOnce, workersOf(home).length);
      // Renews the startup lock, so that the pause lasts until all hooks of a round have run.
      const now = new Date();
      utimesSync(path.join(home.dataDir, 'starting'), now, now);
    }
    expect(atOnce).toBeLessThanOrEqual(1);
    await waitFor(() => starts() > 0, { what: 'the first start' });
    expect(starts()).toBe(1);
    expect(spooledFiles(home)).toHaveLength(ROUNDS * HOOKS);
    // After the pause, hooks start the worker once, not once per event.
    const past = new Date(Date.now() - 40_000);
    utimesSync(path.join(home.dataDir, 'starting'), past, past);
    await Promise.all(
      Array.from({ length: HOOKS }, () => runHook(home, 'PostToolUse', payloads.toolUse(), { script })),
    );
    await waitFor(() => starts() === 2, { what: 'the second start' });
    await waitFor(() => workersOf(home).length === 0, { what: 'the broken worker to end' });
    expect(starts()).toBe(2);
  });

  it('B006: starts one worker when many sessions start at once', async () => {
    await using home = await createTempHome({ env: { CLAUDE_MEM_EMBEDDER: 'none' } });
    const runs = await Promise.all(
      Array.from({ length: bySize({ quick: 8, full: 20 }) }, () =>
        runHook(home, 'SessionStart', claudePayloads({ cwd: home.project }).sessionStart()),
      ),
    );
    for (const run of runs) expect(run).toMatchObject({ exit: 0, stderr: '' });
    await waitUntilDrained(home);
    // A hook that times out starts another worker, which exits when it finds the first one.
    await expect.poll(() => workersOf(home)).toHaveLength(1);
  });

  it('B167: the hooks for the end of a turn and a session return before the observer answers', async () => {
    await using home = await createTempHome({ env: { CLAUDE_MEM_EMBEDDER: 'none' } });
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const reply = plausibleReply();
    await using _vendor = await openObserver('claude', home, async (request) => {
      await released;
      return reply(request);
    });
    await using worker = await startWorker(home);
    const payloads = claudePayloads({ cwd: home.project });
    const fire = hookIn(home, home.project);
    await fire('UserPromptSubmit', payloads.prompt('Raise many limits'));
    await Promise.all(Array.from({ length: 20 }, () => fire('PostToolUse', payloads.toolUse())));
    await fire('Stop', payloads.stop('Raised many limits.'));
    await fire('SessionEnd', payloads.sessionEnd('prompt_input_exit'));
    await waitFor(() => spooledFiles(home).length === 0, { what: 'the worker to read all events' });
    const { queue } = await worker.health();
    expect(queue.pending + queue.processing).toBeGreaterThan(0);
    release();
    await waitUntilDrained(home);
    using peek = peekDatabase(home);
    expect(peek.value('SELECT count(*) FROM session_summaries')).toBe(1);
  });

  it('observes queued turns without tool uses once, in one request, when the worker was killed before', async () => {
    await using home = await createTempHome({ env: { CLAUDE_MEM_EMBEDDER: 'none' } });
    await using vendor = await openObserver('claude', home, plausibleReply());
    const payloads = claudePayloads({ cwd: home.project });
    const fire = hookIn(home, home.project);
    {
      await using worker = await startWorker(home);
      for (const turn of [1, 2, 3]) {
        await fire('UserPromptSubmit', payloads.prompt(`Rule ${turn}: prices are in cents`));
        await fire('Stop', payloads.stop(`Rule ${turn} is noted.`));
      }
      await waitFor(async () => (await worker.health()).queue.pending === 3, { what: 'three waiting turns' });
      await worker.kill('SIGKILL');
    }
    await using _worker = await startWorker(home);
    await fire('SessionEnd', payloads.sessionEnd('prompt_input_exit'));
    await waitUntilDrained(home);
    expect(vendor.requests.map(({ prompt }) => prompt)).toEqual([
      expect.stringMatching(/Rule 1:.*Rule 2:.*Rule 3:/s),
    ]);
    using peek = peekDatabase(home);
    expect(peek.value(`SELECT count(*) FROM event_ledger WHERE outcome = 'stored'`)).toBe(3);
  });
});

const workersOf = (home: TempHome) =>
  processesOf(home.dataDir).filter(({ command, pid }) => command.includes('main.js') && isProcessAlive(pid));

/** The hook script beside a worker that records its start and then runs the given code. */
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
