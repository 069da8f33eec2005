import { join } from 'node:path';
import type { Health } from '@claude-mem/worker-protocol';
import {
  isSilent,
  readIfFile,
  rememberPrograms as writeDownPrograms,
} from '@claude-mem/worker-protocol/local';
import type { CommandContext } from '../command.js';
import { createFolder } from '../create-folder.js';
import { findWorkerMain } from './find-worker-main.js';
import { spawnWorker } from './spawn-worker.js';
import { acquireStartupLock, takeOverStartupLock } from './startup-lock.js';

export type WorkerStart =
  | { kind: 'running'; health: Health; wasRunning: boolean }
  /** The worker has ended, or will not become ready. */
  | { kind: 'failed'; reason: string };

type StartContext = Pick<CommandContext, 'loaded' | 'worker' | 'env' | 'ownFolder'>;

interface Probe {
  health: Health | null;
  isSilent: boolean;
}

/** How long to wait for a start by another process before starting the worker again. */
const OTHER_START_TIMEOUT_MS = 3_000;
const READY_TIMEOUT_MS = 20_000;
/** How long to wait for the answer of another worker that accepts connections. */
const SILENT_TIMEOUT_MS = 8_000;
const PAUSE_MS = 30;
const ENDED = 'It ended before it was ready.';
const NO_ANSWER = 'It does not answer. Run: claude-mem restart';

/**
 * Starts the worker unless it runs, and waits until it is ready. Any number of calls at the same time start one worker.
 * @param options.silentMs how long to wait for the answer of another worker that accepts connections
 * @param options.usesEnvironment the worker takes settings from the environment of this command too
 */
export async function startAndWait(
  context: StartContext,
  { silentMs = SILENT_TIMEOUT_MS, usesEnvironment }: { silentMs?: number; usesEnvironment?: boolean } = {},
): Promise<WorkerStart> {
  const { paths } = context.loaded;
  const began = Date.now();
  const found = await readHealth(context);
  if (found) {
    const running = await waitUntilReady(context, { wasRunning: true, hasEnded: () => ENDED });
    if (running.kind === 'running' || running.reason !== ENDED) return running;
  }
  createFolder(paths.dataDir);
  storeProgramPaths(context);
  if (acquireStartupLock(paths.startupLock, { now: Date.now() }) !== 'acquired') {
    if (await waitForAnswer(context, OTHER_START_TIMEOUT_MS))
      return waitUntilReady(context, { wasRunning: false, hasEnded: () => null });
    takeOverStartupLock(paths.startupLock, { now: Date.now() });
  }
  const spawned = spawnWorker({
    ...paths,
    ownFolder: context.ownFolder,
    env: workerEnv(context),
    usesEnvironment,
  });
  if (spawned.kind === 'no-worker')
    return {
      kind: 'failed',
      reason:
        'The package @claude-mem/worker is not installed beside this program. Install claude-mem again.',
    };
  let code: number | string | null = null;
  void spawned.ended.then((end) => (code = end));
  return waitUntilReady(context, {
    wasRunning: false,
    hasEnded(last) {
      if (code === null) return null;
      if (code !== 0) return startProblem(spawned.log, code);
      // exit code 0 means that another worker runs
      return last.isSilent && Date.now() - began >= silentMs ? NO_ANSWER : null;
    },
  });
}

/** The worker does not inherit NODE_EXTRA_CA_CERTS, so its value is passed as CLAUDE_MEM_CA_FILE. */
function workerEnv({ env, loaded }: Pick<StartContext, 'env' | 'loaded'>) {
  const { sources, settings } = loaded;
  const isInherited = sources.CLAUDE_MEM_CA_FILE === 'env' && settings.caFile !== '';
  return isInherited ? { ...env, CLAUDE_MEM_CA_FILE: settings.caFile } : env;
}

/** Returns null when no worker answers. */
export async function readHealth(context: Pick<CommandContext, 'worker'>): Promise<Health | null> {
  return (await probe(context)).health;
}

async function probe({ worker }: Pick<CommandContext, 'worker'>): Promise<Probe> {
  try {
    return { health: await worker.within(2_000).health(), isSilent: false };
  } catch (error) {
    return { health: null, isSilent: isSilent(error) };
  }
}

/** Stores the paths of the programs, so that hooks find them when the host has another PATH. */
export function storeProgramPaths({ loaded, ownFolder }: Pick<StartContext, 'loaded' | 'ownFolder'>): void {
  const { dataDir } = loaded.paths;
  writeDownPrograms(loaded.paths, {
    node: process.execPath,
    command: join(ownFolder, 'claude-mem.js'),
    worker: findWorkerMain(ownFolder, dataDir),
  });
}

async function waitForAnswer(context: StartContext, timeoutMs: number): Promise<boolean> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await pause())
    if (await readHealth(context)) return true;
  return false;
}

async function waitUntilReady(
  context: StartContext,
  { wasRunning, hasEnded }: { wasRunning: boolean; hasEnded: (last: Probe) => string | null },
): Promise<WorkerStart> {
  let last: Health | null = null;
  for (const deadline = Date.now() + READY_TIMEOUT_MS; Date.now() < deadline; await pause()) {
    const found = await probe(context);
    last = found.health;
    if (last?.ready) return { kind: 'running', health: last, wasRunning };
    if (last?.status === 'failed') return { kind: 'failed', reason: last.reason ?? 'It reported no reason.' };
    const problem = last === null ? hasEnded(found) : null;
    if (problem !== null) return { kind: 'failed', reason: problem };
  }
  const timeoutReason = `It was not ready within ${READY_TIMEOUT_MS / 1000} s. If it hangs: claude-mem restart. Otherwise see: claude-mem logs`;
  return { kind: 'failed', reason: last?.reason ?? timeoutReason };
}

function startProblem(log: string, code: number | string): string {
  const printed = readIfFile(log)?.trim().slice(-2_000) ?? '';
  return `It ended with ${code}${printed ? ` and printed:\n${printed}` : '.'}`;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
