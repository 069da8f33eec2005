import { readWorkerState } from '@claude-mem/worker-protocol/local';
import type { CommandContext } from '../command.js';
import { isAlive, isOwnWorker } from './is-own-worker.js';
import { readHealth } from './start-and-wait.js';

export type WorkerStop =
  | { kind: 'stopped'; pid: number; how: 'asked' | 'SIGTERM' | 'SIGKILL' }
  | { kind: 'not-running' }
  /** worker.json names a living process that is not our worker; it is left alone. */
  | { kind: 'stranger'; pid: number };

const PATIENCE_MS = 5_000;

/** Ends the worker: by asking it, else by signal, and only if the process surely is our worker. */
export async function stopAndWait({
  loaded,
  worker,
}: Pick<CommandContext, 'loaded' | 'worker'>): Promise<WorkerStop> {
  const health = await readHealth({ worker });
  if (health) {
    const asked = await worker
      .within(2_000)
      .shutdown()
      .then(
        () => true,
        () => false,
      );
    if (asked && (await hasEnded(health.pid))) return { kind: 'stopped', pid: health.pid, how: 'asked' };
  }
  const pid = health?.pid ?? readWorkerState(loaded.paths)?.pid;
  if (pid === undefined || !isAlive(pid)) return { kind: 'not-running' };
  if (!(await isOwnWorker(pid, loaded.paths))) return { kind: 'stranger', pid };
  for (const how of ['SIGTERM', 'SIGKILL'] as const) {
    process.kill(pid, how);
    if (await hasEnded(pid)) return { kind: 'stopped', pid, how };
  }
  return { kind: 'stranger', pid };
}

async function hasEnded(pid: number): Promise<boolean> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
    if (!isAlive(pid)) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}
