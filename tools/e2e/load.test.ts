import path from 'node:path';
import {
  bySize,
  claudePayloads,
  createTempHome,
  descendantsOf,
  peekDatabase,
  processesOf,
  readHealth,
  runHook,
  startWorker,
  waitUntilDrained,
  type TempHome,
  type WorkerProcess,
} from '@claude-mem/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLoopedFolder } from './create-looped-folder.js';
import { contextFor, hookIn, playTurn } from './play-turn.js';

/** Polls, because a hook that times out starts a second worker, which exits when it finds the first one. */
const expectOnly = (home: TempHome, pid: number) =>
  expect.poll(() => processesOf(home.dataDir).map((process) => process.pid)).toEqual([pid]);

/** Returns the number of events of a session by outcome. */
function outcomesOf(home: TempHome, sessionId: string): Readonly<Record<string, number>> {
  using peek = peekDatabase(home);
  const rows = peek.rows(
    `SELECT coalesce(outcome, 'none') AS outcome, count(*) AS count FROM event_ledger
     WHERE outcome IS NOT 'prompt' AND session_id = (SELECT id FROM sdk_sessions WHERE content_session_id = ?)
     GROUP BY outcome`,
    sessionId,
  );
  return Object.fromEntries(rows.map(({ outcome, count }) => [String(outcome), Number(count)]));
}

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((total, count) => total + count, 0);

describe('hooks and worker under everyday load', () => {
  let home: TempHome;
  let worker: WorkerProcess;
  beforeAll(async () => {
    home = await createTempHome({ env: { CLAUDE_MEM_EMBEDDER: 'none' } });
    worker = await startWorker(home);
  });
  afterAll(async () => {
    await worker[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });

  it('B024 B026: leaves no process except the worker when sessions and prompts end', async () => {
    for (let round = 0; round < bySize({ quick: 2, full: 6 }); round += 1) {
      const sessions = Array.from({ length: 5 }, () => claudePayloads({ cwd: home.project }));
      await Promise.all(
        sessions.map(async (payloads) => {
          for (let prompt = 0; prompt < 3; prompt += 1) {
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
  });

  it('B168: stores session starts and tool uses without a restart of the worker', async () => {
    const payloads = claudePayloads({ cwd: home.project });
    for (let index = 0; index < 14; index += 1) {
      const isStart = index % 7 < 2;
      const payload = isStart ? payloads.sessionStart('resume') : payloads.toolUse();
      await hookIn(home, home.project)(isStart ? 'SessionStart' : 'PostToolUse', payload);
    }
    await hookIn(home, home.project)('Stop', payloads.stop('Raised it.'));
    await waitUntilDrained(home);
    expect((await readHealth(home)).pid).toBe(worker.pid);
    await expectOnly(home, worker.pid);
  });

  it('B169: stores the events of a session in a folder with a loop of links', async () => {
    const folder = path.join(home.home, 'huge');
    // A scan that follows the links never ends, because each of 40 levels has 20 links.
    createLoopedFolder(folder, { filesPerPart: 10 });
    const payloads = claudePayloads({ cwd: folder });
    await hookIn(home, folder)('SessionStart', payloads.sessionStart());
    await hookIn(home, folder)('UserPromptSubmit', payloads.prompt('Raise the limit'));
    await hookIn(home, folder)('PostToolUse', payloads.toolUse());
    await hookIn(home, folder)('Stop', payloads.stop('Raised the limit.'));
    await waitUntilDrained(home);
    // The events are the tool use and the end of the turn.
    expect(sum(outcomesOf(home, payloads.sessionId))).toBe(2);
  });

  it('B050: stores every event when two hosts store at once', async () => {
    const sessions = [1, 2].map(() => claudePayloads({ cwd: home.project }));
    await Promise.all(
      sessions.map(async (payloads) => {
        await hookIn(home, home.project)('UserPromptSubmit', payloads.prompt('Raise ten limits'));
        await Promise.all(
          Array.from({ length: 10 }, () => hookIn(home, home.project)('PostToolUse', payloads.toolUse())),
        );
        await hookIn(home, home.project)('Stop', payloads.stop('Raised ten limits.'));
      }),
    );
    await waitUntilDrained(home);
    using peek = peekDatabase(home);
    expect(peek.integrity()).toBe('ok');
    // The events are ten tool uses and the end of the turn.
    for (const { sessionId } of sessions) expect(sum(outcomesOf(home, sessionId))).toBe(11);
  });

  it('B138: stores one tool use once when ten processes send it at the same time', async () => {
    const payloads = claudePayloads({ cwd: home.project });
    await hookIn(home, home.project)('UserPromptSubmit', payloads.prompt('Raise the limit'));
    const payload = payloads.toolUse();
    const runs = await Promise.all(Array.from({ length: 10 }, () => runHook(home, 'PostToolUse', payload)));
    expect(runs.map(({ exit }) => exit)).toEqual(Array(10).fill(0));
    await hookIn(home, home.project)('Stop', payloads.stop('Raised the limit.'));
    await waitUntilDrained(home);
    expect(sum(outcomesOf(home, payloads.sessionId))).toBe(2);
  });

  it('P008: injects the work of one session into the next', async () => {
    await using other = await createTempHome();
    await playTurn(other, {
      cwd: other.project,
      file: 'src/heron.ts',
      message: 'Fixed the heron counter in src/heron.ts: it started at one.',
    });
    await waitUntilDrained(other);
    const context = await contextFor(other, other.project);
    expect(context).toContain('heron');
    expect(context).toMatch(/^<claude-mem-context[\s>]/);
  });
});
