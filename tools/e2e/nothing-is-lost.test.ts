import { mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  claudePayloads,
  createTempHome,
  dumpCanonical,
  peekDatabase,
  processesOf,
  readHealth,
  spooledFiles,
  startWorker,
  waitUntilDrained,
  type TempHome,
} from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';
import { hookIn } from './play-turn.js';
import { runScenario } from './run-scenario.js';

type HookEvent = readonly [event: string, payload: unknown];

/** Returns two turns with edits, a failure and a repeated event. */
function session(home: TempHome): readonly HookEvent[] {
  const payloads = claudePayloads({ cwd: home.project });
  const repeated = payloads.toolUse();
  return [
    ['SessionStart', payloads.sessionStart()],
    ['UserPromptSubmit', payloads.prompt('Raise the limit')],
    ['PostToolUse', payloads.toolUse()],
    ['PostToolUseFailure', payloads.toolFailure({ name: 'Bash', input: { command: 'npm test' } })],
    ['PostToolUse', repeated],
    ['PostToolUse', repeated],
    ['PostToolUse', payloads.toolUse({ name: 'TodoWrite', input: { todos: [] }, response: {} })],
    ['Stop', payloads.stop('Raised the limit to ten; the tests pass again.')],
    ['UserPromptSubmit', payloads.prompt('And now the other one')],
    ['PostToolUse', payloads.toolUse()],
    ['Stop', payloads.stop('Raised the other limit, too.')],
    ['SessionEnd', payloads.sessionEnd()],
  ];
}

async function fireAll(home: TempHome, events: readonly HookEvent[]) {
  for (const [event, payload] of events) await hookIn(home, home.project)(event, payload);
}

const ends = (home: TempHome) => {
  using peek = peekDatabase(home);
  return peek.rows('SELECT outcome, count(*) AS count FROM event_ledger GROUP BY outcome ORDER BY outcome');
};

describe('event storage', () => {
  it('P001 P002: records one outcome for every event and changes nothing when the session is sent again', async () => {
    await using home = await createTempHome({ env: { CLAUDE_MEM_EMBEDDER: 'none' } });
    await using _worker = await startWorker(home);
    const events = session(home);
    await fireAll(home, events);
    await waitUntilDrained(home);
    const counted = new Map(ends(home).map(({ outcome, count }) => [outcome, Number(count)]));
    expect(counted.get('prompt')).toBe(2);
    expect(counted.get('session-end')).toBe(1);
    expect(counted.has(null)).toBe(false);
    // The events are five distinct tool uses and two ends of turns.
    const [first = 0, ...rest] = ['stored', 'evidence', 'empty', 'filtered', 'dropped'].map(
      (outcome) => counted.get(outcome) ?? 0,
    );
    expect(rest.reduce((sum, count) => sum + count, first)).toBe(7);
    expect(counted.get('dropped')).toBeUndefined();

    using peek = peekDatabase(home);
    const before = dumpCanonical(peek);
    expect(before.length).toBeGreaterThan(8);
    await fireAll(home, events);
    await waitUntilDrained(home);
    expect(dumpCanonical(peek)).toEqual(before);
  });

  it('P006: keeps events on disk while no worker runs and stores them when one starts', async () => {
    await using home = await createTempHome({ env: { CLAUDE_MEM_EMBEDDER: 'none' } });
    const events = session(home);
    // While a recent startup lock exists, no hook starts a worker.
    mkdirSync(path.join(home.dataDir, 'starting'), { recursive: true });
    await fireAll(home, events.slice(0, 8));
    expect(processesOf(home.dataDir)).toEqual([]);
    expect(spooledFiles(home)).toHaveLength(8);
    await using _worker = await startWorker(home);
    await fireAll(home, events.slice(8));
    await waitUntilDrained(home);
    const counted = new Map(ends(home).map(({ outcome, count }) => [outcome, Number(count)]));
    expect(counted.get('prompt')).toBe(2);
    expect(ends(home).reduce((sum, { count }) => sum + Number(count), 0)).toBe(10);
    expect((await readHealth(home)).queue.parked).toBe(0);
  });

  it('P003: stores every event once and leaves no process when the worker is killed during a session', async () => {
    await runScenario('kill9.mjs', { synthetic: true, only: 'synthetic-1', rounds: 2, turns: 2, calls: 6 });
  }, 120_000);
});
