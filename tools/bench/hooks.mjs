// Hook latency: the whole process as a host starts it, worker up and worker down, run after run in turn.
import { spawnSync } from 'node:child_process';
import { mkdirSync, utimesSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import {
  claudePayloads,
  createTempHome,
  startWorker,
  waitUntilDrained,
  workspacePaths,
} from '@claude-mem/testing';
import { ms, p50, p50And95, p95, row } from './figures.mjs';

const RUNS = 150;
const EVENT_BYTES = 20 * 1024;

export async function benchHooks() {
  const up = await createTempHome();
  const down = await createTempHome();
  const worker = await startWorker(up);
  try {
    const payloads = claudePayloads({ cwd: up.project });
    const times = { up: [], down: [], empty: [] };
    for (let index = -10; index < RUNS; index += 1) {
      const input = JSON.stringify(bigEvent(payloads)) + '\n';
      keepGateShut(down);
      const took = {
        up: timeOf('sh', hookArguments('PostToolUse'), up, input),
        down: timeOf('sh', hookArguments('PostToolUse'), down, input),
        empty: timeOf('true', [], up, ''),
      };
      if (index < 0) continue;
      for (const name of Object.keys(times)) times[name].push(took[name]);
    }
    await waitUntilDrained(up, { deadlineMs: 1 }).catch(() => undefined);
    const worst = await worstCases();
    return [
      row(
        'hook, worker up, 20 KB event',
        p50And95(times.up),
        'p50 12 ms, p95 20 ms',
        p50(times.up) <= 12 && p95(times.up) <= 20,
      ),
      row(
        'hook, worker down, event kept on disk',
        p50And95(times.down),
        'p50 12 ms, p95 20 ms',
        p50(times.down) <= 12 && p95(times.down) <= 20,
      ),
      row('an empty program, measured the same way', p50And95(times.empty)),
      row('hook, longest for any fault tried', ms(worst), '1 s', worst <= 1_000),
    ];
  } finally {
    await worker[Symbol.asyncDispose]();
    await up[Symbol.asyncDispose]();
    await down[Symbol.asyncDispose]();
  }
}

/** A socket that accepts and never answers, and a worker that never comes; for each event that is waited for. */
async function worstCases() {
  const home = await createTempHome();
  mkdirSync(home.dataDir, { recursive: true });
  const server = createServer();
  const took = [];
  const payloads = claudePayloads({ cwd: home.project });
  const events = [
    ['SessionStart', payloads.sessionStart()],
    ['PostToolUse', bigEvent(payloads)],
    ['Stop', payloads.stop()],
  ];
  const fireAll = () => {
    for (const [event, payload] of events) {
      keepGateShut(home);
      took.push(timeOf('sh', hookArguments(event), home, JSON.stringify(payload)));
    }
  };
  try {
    fireAll();
    await new Promise((resolve) => server.listen(path.join(home.dataDir, 'worker.sock'), resolve));
    for (let round = 0; round < 3; round += 1) fireAll();
  } finally {
    server.close();
    await home[Symbol.asyncDispose]();
  }
  return Math.max(...took);
}

const hookArguments = (event) => [workspacePaths.hookScript, 'claude-code', event];

function timeOf(command, args, home, input) {
  const started = performance.now();
  const run = spawnSync(command, args, {
    input,
    cwd: home.project,
    env: { ...home.env, CLAUDE_PROJECT_DIR: home.project },
  });
  const took = performance.now() - started;
  if (run.status !== 0)
    throw new Error(`${command} ${args.join(' ')} exited with ${run.status}: ${run.stderr}`);
  return took;
}

/** A start was tried just now: so no hook of this home starts a worker. */
function keepGateShut(home) {
  const gate = path.join(home.dataDir, 'starting');
  mkdirSync(gate, { recursive: true });
  const now = new Date();
  utimesSync(gate, now, now);
}

function bigEvent(payloads) {
  const line = 'export const limit = readLimit(settings, "queue", 20); // keeps the order of the turn\n';
  const text = line.repeat(Math.ceil(EVENT_BYTES / line.length)).slice(0, EVENT_BYTES - 700);
  return payloads.toolUse({
    name: 'Read',
    input: { file_path: '/tmp/a.ts' },
    response: { type: 'text', file: text },
  });
}
