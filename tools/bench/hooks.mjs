// Hook latency: the whole process as a host starts it, worker up and worker down, run after run in turn; and the same with
// less and less behind it, which tells where the time goes.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, utimesSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  claudePayloads,
  createTempHome,
  startWorker,
  waitUntilDrained,
  workspacePaths,
} from '@claude-mem/testing';
import { ms, p50, p50And95, p95, processorSeconds, row, secondsOfChildren } from './figures.mjs';

const RUNS = 150;
const EVENT_BYTES = 20 * 1024;

export async function benchHooks() {
  const up = await createTempHome();
  const down = await createTempHome();
  const answering = await createTempHome();
  const worker = await startWorker(up);
  const listener = await answerAtOnce(answering);
  try {
    const payloads = claudePayloads({ cwd: up.project });
    const times = { up: [], question: [], down: [], answering: [], off: [], empty: [] };
    for (let index = -10; index < RUNS; index += 1) {
      const input = JSON.stringify(bigEvent(payloads)) + '\n';
      keepGateShut(down);
      const question = JSON.stringify(payloads.toolUse({ name: 'Read', input: { file_path: '/tmp/a.ts' } }));
      const took = {
        up: timeOf('sh', hookArguments('PostToolUse'), up, input),
        question: timeOf('sh', hookArguments('PreToolUse'), up, question),
        down: timeOf('sh', hookArguments('PostToolUse'), down, input),
        answering: timeOf('sh', hookArguments('PostToolUse'), answering, input),
        off: timeOf('sh', hookArguments('PostToolUse'), up, input, { CLAUDE_MEM_ENABLED: 'false' }),
        empty: timeOf('true', [], up, ''),
      };
      if (index < 0) continue;
      for (const name of Object.keys(times)) times[name].push(took[name]);
    }
    const processor = processorTime(up, { worker, payloads });
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
      row('hook, worker up, file history before a Read', p50And95(times.question)),
      row('an empty program, measured the same way', p50And95(times.empty)),
      row(
        'of the hook with a worker up',
        `process ${ms(p50(times.empty))}, shell ${ms(p50(times.off) - p50(times.empty))}, sender ${ms(p50(times.answering) - p50(times.off))}, worker ${ms(p50(times.up) - p50(times.answering))}`,
      ),
      row('hook, worker up, processor time', processor),
      row('hook, longest for any fault tried', ms(worst), '1 s', worst <= 1_000),
    ];
  } finally {
    await listener.terminate();
    await answering[Symbol.asyncDispose]();
    await worker[Symbol.asyncDispose]();
    await up[Symbol.asyncDispose]();
    await down[Symbol.asyncDispose]();
  }
}

/** What a hook costs however busy the machine is; clocks of processes tick in hundredths of a second, so of many. */
function processorTime(home, { worker, payloads }) {
  const before = { hooks: secondsOfChildren(), worker: processorSeconds(worker.pid) };
  for (let run = 0; run < RUNS; run += 1)
    timeOf('sh', hookArguments('PostToolUse'), home, JSON.stringify(bigEvent(payloads)));
  const hooks = secondsOfChildren() - before.hooks;
  const own = processorSeconds(worker.pid) - before.worker;
  return `${ms((hooks * 1_000) / RUNS)}, worker ${ms((own * 1_000) / RUNS)}`;
}

async function answerAtOnce(home) {
  mkdirSync(home.dataDir, { recursive: true });
  const socket = path.join(home.dataDir, 'worker.sock');
  const listener = new Worker(new URL('answer-at-once.mjs', import.meta.url), { workerData: { socket } });
  await once(listener, 'message');
  return listener;
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

function timeOf(command, args, home, input, more = {}) {
  const started = performance.now();
  const run = spawnSync(command, args, {
    input,
    cwd: home.project,
    env: { ...home.env, CLAUDE_PROJECT_DIR: home.project, ...more },
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
