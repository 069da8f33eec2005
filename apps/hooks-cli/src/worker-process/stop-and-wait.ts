import { isProcessAlive } from '@claude-mem/core/is-process-alive';
import { readWorkerState } from '@claude-mem/worker-protocol/local';
import type { CommandContext } from '../command.js';
import { isOwnWorker } from './is-own-worker.js';
import { readHealth } from './start-and-wait.js';

export type WorkerStop =
  | { kind: 'stopped'; pid: number; how: 'asked' | 'SIGTERM' | 'SIGKILL' }
  | { kind: 'not-running' }
  /** worker.json names a running process that is not this worker. The process keeps running. */
  | { kind: 'stranger'; pid: number };

const TIMEOUT_MS = 5_000;

/**
 * Stops the worker by a request, or by signals when it does not answer. Never sends a signal to another process.
 * @param options.timeoutMs how long to wait after the request and after each signal
 */
export async function stopAndWait(
  { loaded, worker }: Pick<CommandContext, 'loaded' | 'worker'>,
  { timeoutMs = TIMEOUT_MS } = {},
): Promise<WorkerStop> {
  const health = await readHealth({ worker });
  if (health) {
    const asked = await worker
      .within(2_000)
      .shutdown()
      .then(
        () => true,
        () => false,
      );
    if (asked && (await hasEnded(health.pid, timeoutMs)))
      return { kind: 'stopped', pid: health.pid, how: 'asked' };
  }
  const pid = health?.pid ?? readWorkerState(loaded.paths)?.pid;
  if (pid === undefined || !isProcessAlive(pid)) return { kind: 'not-running' };
  if (!(await isOwnWorker(pid, loaded.paths))) return { kind: 'stranger', pid };
  for (const how of ['SIGTERM', 'SIGKILL'] as const) {
    process.kill(pid, how);
    if (await hasEnded(pid, timeoutMs)) return { kind: 'stopped', pid, how };
  }
  return { kind: 'stranger', pid };
}

async function hasEnded(pid: number, timeoutMs: number): Promise<boolean> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline;) {
    if (!isProcessAlive(pid)) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}
