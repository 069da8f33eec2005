// From the start of the worker's process to the first answer that says ready.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createTempHome, readHealth, workspacePaths } from '@claude-mem/testing';
import { ms, p50, row } from './figures.mjs';

const RUNS = 9;

/** @param large a seeded home with 100,000 observations */
export async function benchStart(large) {
  const small = await createTempHome();
  try {
    const first = await timeToReady(small);
    await first.end('SIGTERM');
    const cold = [];
    const restarts = [];
    const before = await timeToReady(large.home);
    await before.end('SIGKILL');
    for (let run = 0; run < RUNS; run += 1) {
      const one = await timeToReady(small);
      await one.end('SIGTERM');
      cold.push(one.took);
      const other = await timeToReady(large.home);
      await other.end(run === RUNS - 1 ? 'SIGTERM' : 'SIGKILL');
      restarts.push(other.took);
    }
    const count = large.observations.toLocaleString('en');
    return [
      row('worker, very first start in an empty home', ms(first.took)),
      row('worker, cold start to ready', median(cold), '250 ms', p50(cold) <= 250),
      row(`worker, ready again after kill -9 at ${count}`, median(restarts), '400 ms', p50(restarts) <= 400),
    ];
  } finally {
    await small[Symbol.asyncDispose]();
  }
}

const median = (values) =>
  `median ${ms(p50(values))}, worst ${ms(Math.max(...values))} (best ${ms(Math.min(...values))})`;

async function timeToReady(home) {
  const started = performance.now();
  const child = spawn(process.execPath, [workspacePaths.workerMain], {
    cwd: home.root,
    env: home.env,
    stdio: 'ignore',
  });
  const end = async (signal) => {
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  const deadline = started + 20_000;
  while (performance.now() < deadline) {
    const isReady = await readHealth(home).then(
      (health) => health.ready && health.pid === child.pid,
      () => false,
    );
    if (isReady) return { took: performance.now() - started, end };
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await end('SIGKILL');
  throw new Error('the worker was not ready within 20 s');
}
