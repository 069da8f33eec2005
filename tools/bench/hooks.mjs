// Measures hook latency: the time of the complete hook process, with and without a running worker. Runs with fewer
// components show the time of each component.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, utimesSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { claudePayloads, createTempHome, startWorker, workspacePaths } from '@claude-mem/testing';
import { ms, p50, p50And95, p95, processorSeconds, row, secondsOfChildren } from './figures.mjs';
import { benchHooksInHost } from './hooks-in-host.mjs';
import { runMeasurements, sampleRow, Samples } from './samples.mjs';

const RUNS = 150;
const WARM_UP_RUNS = 10;
const EVENT_BYTES = 20 * 1024;
const TIMEOUT_MS = 30_000;

export function benchHooks(options) {
  return runMeasurements([
    ['hook latency', () => benchLatency(options)],
    ['hook, longest time with a fault', () => benchFaults(options)],
    ['sessions of a real host', () => benchHooksInHost(options)],
  ]);
}

async function benchLatency({ report, scale }) {
  report('hooks');
  const runs = scale(RUNS);
  const up = await createTempHome();
  const down = await createTempHome();
  const answering = await createTempHome();
  const worker = await startWorker(up);
  const listener = await answerAtOnce(answering);
  try {
    const payloads = claudePayloads({ cwd: up.project });
    const samples = await sampleLatency({ up, down, answering }, payloads, runs);
    return await runMeasurements([
      ['hook latency', () => latencyRows(samples)],
      ['hook latency by component', () => [componentRow(samples)]],
      ['hook, worker up, processor time', () => processorRow(up, { worker, payloads, runs })],
    ]);
  } finally {
    await listener.terminate();
    await answering[Symbol.asyncDispose]();
    await worker[Symbol.asyncDispose]();
    await up[Symbol.asyncDispose]();
    await down[Symbol.asyncDispose]();
  }
}

async function sampleLatency({ up, down, answering }, payloads, runs) {
  const samples = {
    up: new Samples(),
    history: new Samples(),
    down: new Samples(),
    answering: new Samples(),
    off: new Samples(),
    empty: new Samples(),
  };
  const disabled = { CLAUDE_MEM_ENABLED: 'false' };
  for (let index = -WARM_UP_RUNS; index < runs; index += 1) {
    const input = JSON.stringify(bigEvent(payloads)) + '\n';
    const read = JSON.stringify(payloads.toolUse({ name: 'Read', input: { file_path: '/tmp/a.ts' } }));
    const postToolUse = hookArguments('PostToolUse');
    const isWarmUp = index < 0;
    const take = (name, ...call) => samples[name].add(() => timeOf(...call), { isWarmUp });
    preventWorkerStart(down);
    await take('up', 'sh', postToolUse, up, input);
    await take('history', 'sh', hookArguments('FileRead'), up, read);
    await take('down', 'sh', postToolUse, down, input);
    await take('answering', 'sh', postToolUse, answering, input);
    await take('off', 'sh', postToolUse, up, input, disabled);
    await take('empty', 'true', [], up, '');
  }
  return samples;
}

function latencyRows({ up, history, down, empty }) {
  const budgeted = {
    format: p50And95,
    budget: 'p50 12 ms, p95 20 ms',
    isWithin: (times) => p50(times) <= 12 && p95(times) <= 20,
  };
  return [
    sampleRow('hook, worker up, 20 KB event', up, budgeted),
    sampleRow('hook, worker down, event kept on disk', down, budgeted),
    sampleRow('hook, worker up, file history with a Read', history, { format: p50And95 }),
    sampleRow('an empty program, measured the same way', empty, { format: p50And95 }),
  ];
}

function componentRow({ up, answering, off, empty }) {
  const [all, sender, shell, bare] = [up, answering, off, empty].map(({ values }) => p50(values));
  return row(
    'hook, worker up, time by component',
    `process ${ms(bare)}, shell ${ms(shell - bare)}, sender ${ms(sender - shell)}, worker ${ms(all - sender)}`,
  );
}

/**
 * Measures processor time, which depends less on other load than latency. The clock ticks every 10 ms, so it is read
 * once for all runs.
 */
async function processorRow(home, { worker, payloads, runs }) {
  const samples = new Samples();
  const before = { hooks: secondsOfChildren(), worker: processorSeconds(worker.pid) };
  for (let run = 0; run < runs; run += 1) {
    const input = JSON.stringify(bigEvent(payloads));
    await samples.add(() => timeOf('sh', hookArguments('PostToolUse'), home, input));
  }
  const hooks = secondsOfChildren() - before.hooks;
  const own = processorSeconds(worker.pid) - before.worker;
  const format = () => `${ms((hooks * 1_000) / runs)}, worker ${ms((own * 1_000) / runs)}`;
  return [sampleRow('hook, worker up, processor time', samples, { format })];
}

async function answerAtOnce(home) {
  mkdirSync(home.dataDir, { recursive: true });
  const socket = path.join(home.dataDir, 'worker.sock');
  const listener = new Worker(new URL('answer-at-once.mjs', import.meta.url), { workerData: { socket } });
  await once(listener, 'message');
  return listener;
}

/** Measures two faults: a worker that never starts, and a socket that accepts connections and never responds. */
async function benchFaults() {
  const home = await createTempHome();
  mkdirSync(home.dataDir, { recursive: true });
  const server = createServer();
  const samples = new Samples();
  const payloads = claudePayloads({ cwd: home.project });
  const events = [
    ['SessionStart', payloads.sessionStart()],
    ['PostToolUse', bigEvent(payloads)],
    ['Stop', payloads.stop()],
  ];
  const fireAll = async () => {
    for (const [event, payload] of events) {
      preventWorkerStart(home);
      await samples.add(() => timeOf('sh', hookArguments(event), home, JSON.stringify(payload)));
    }
  };
  try {
    await fireAll();
    await new Promise((resolve) => server.listen(path.join(home.dataDir, 'worker.sock'), resolve));
    for (let round = 0; round < 3; round += 1) await fireAll();
  } finally {
    server.close();
    await home[Symbol.asyncDispose]();
  }
  return [
    sampleRow('hook, longest time with a fault', samples, {
      format: (times) => ms(Math.max(...times)),
      budget: '1 s',
      isWithin: (times) => Math.max(...times) <= 1_000,
    }),
  ];
}

const hookArguments = (event) => [workspacePaths.hookScript, 'claude-code', event];

function timeOf(command, args, home, input, env = {}) {
  const started = performance.now();
  const run = spawnSync(command, args, {
    input,
    cwd: home.project,
    env: { ...home.env, CLAUDE_PROJECT_DIR: home.project, ...env },
    timeout: TIMEOUT_MS,
  });
  const took = performance.now() - started;
  if (run.error) throw run.error;
  if (run.status !== 0)
    throw new Error(`${formatCommand(command, args)} exited with ${run.status ?? run.signal}: ${run.stderr}`);
  return took;
}

const formatCommand = (...parts) =>
  parts
    .flat()
    .map((part) => path.basename(part))
    .join(' ');

/** Creates a recent startup lock. While it exists, hooks start no worker. */
function preventWorkerStart(home) {
  const lock = path.join(home.dataDir, 'starting');
  mkdirSync(lock, { recursive: true });
  const now = new Date();
  utimesSync(lock, now, now);
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
