// Measures the startup of the worker: from spawn to the first response that reports ready.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createTempHome, readHealth, workspacePaths } from '@claude-mem/testing';
import { ms, p50 } from './figures.mjs';
import { sampleRow, Samples, withTimeout } from './samples.mjs';

const RUNS = 9;
const READY_TIMEOUT_MS = 20_000;

/**
 * Measures the start.
 * @param large a seeded home with many observations
 */
export async function benchStart(large, { report, scale }) {
  report('start and restart');
  const small = await createTempHome();
  try {
    const [first, cold, restarts] = [new Samples(), new Samples(), new Samples()];
    await first.add(() => startOnce(small, 'SIGTERM'));
    await restarts.add(() => startOnce(large.home, 'SIGKILL'), { isWarmUp: true });
    const runs = scale(RUNS);
    for (let run = 0; run < runs; run += 1) {
      await cold.add(() => startOnce(small, 'SIGTERM'));
      await restarts.add(() => startOnce(large.home, run === runs - 1 ? 'SIGTERM' : 'SIGKILL'));
    }
    const count = large.observations.toLocaleString('en');
    return [
      sampleRow('worker, very first start in an empty home', first, { format: ([took]) => ms(took) }),
      sampleRow('worker, cold start to ready', cold, {
        format: formatMedian,
        budget: '250 ms',
        isWithin: (times) => p50(times) <= 250,
      }),
      sampleRow(`worker, ready again after kill -9 at ${count}`, restarts, {
        format: formatMedian,
        budget: '400 ms',
        isWithin: (times) => p50(times) <= 400,
      }),
    ];
  } finally {
    await small[Symbol.asyncDispose]();
  }
}

const formatMedian = (values) =>
  `median ${ms(p50(values))}, worst ${ms(Math.max(...values))} (best ${ms(Math.min(...values))})`;

/** Starts a worker and ends it with the signal when it is ready. Returns the milliseconds until it was ready. */
async function startOnce(home, signal) {
  const started = performance.now();
  const child = spawn(process.execPath, [workspacePaths.workerMain], {
    cwd: home.root,
    env: home.env,
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  try {
    await waitUntilReady(home, child);
    const took = performance.now() - started;
    child.kill(signal);
    await withTimeout(exited);
    return took;
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}

async function waitUntilReady(home, child) {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const isReady = await readHealth(home).then(
      (health) => health.ready && health.pid === child.pid,
      () => false,
    );
    if (isReady) return;
    if (child.exitCode !== null) throw new Error(`the worker exited with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  throw new Error(`the worker was not ready within ${READY_TIMEOUT_MS / 1_000} s`);
}
