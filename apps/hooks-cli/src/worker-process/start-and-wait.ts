import { join } from 'node:path';
import type { Health } from '@claude-mem/worker-protocol';
import {
  isSilent,
  readIfFile,
  rememberPrograms as writeDownPrograms,
} from '@claude-mem/worker-protocol/local';
import type { CommandContext } from '../command.js';
import { makeFolder } from '../make-folder.js';
import { findWorkerMain } from './find-worker-main.js';
import { spawnWorker } from './spawn-worker.js';
import { acquireStartupLock, takeOverStartupLock } from './startup-lock.js';

export type WorkerStart =
  | { kind: 'running'; health: Health; wasRunning: boolean }
  /** It lives, or ended, and will not become ready by waiting. */
  | { kind: 'failed'; reason: string };

type StartContext = Pick<CommandContext, 'loaded' | 'worker' | 'env' | 'ownFolder'>;

interface Look {
  health: Health | null;
  isSilent: boolean;
}

/** How long a start by somebody else is waited for before starting it again. */
const OTHERS_START_MS = 3_000;
const READY_MS = 20_000;
/** How long one that is not ours to start is asked that takes what it is asked and does not answer. */
const SILENT_MS = 8_000;
const PAUSE_MS = 30;
const GONE = 'It ended while it was waited for.';
const HANGS = 'It does not answer. Run: claude-mem restart';

/**
 * Starts the worker unless it runs, and waits until it is ready. Any number of calls at the same time start one worker.
 * @param options.silentMs how long to wait for the answer of another worker that accepts connections
 * @param options.usesEnvironment the worker takes settings from the environment of this command too
 */
export async function startAndWait(
  context: StartContext,
  { silentMs = SILENT_MS, usesEnvironment }: { silentMs?: number; usesEnvironment?: boolean } = {},
): Promise<WorkerStart> {
  const { paths } = context.loaded;
  const began = Date.now();
  const found = await readHealth(context);
  if (found) {
    const running = await waitUntilReady(context, { wasRunning: true, hasEnded: () => GONE });
    if (running.kind === 'running' || running.reason !== GONE) return running;
  }
  makeFolder(paths.dataDir);
  rememberPrograms(context);
  if (acquireStartupLock(paths.startGate, { now: Date.now() }) !== 'acquired') {
    if (await waitForAnswer(context, OTHERS_START_MS))
      return waitUntilReady(context, { wasRunning: false, hasEnded: () => null });
    takeOverStartupLock(paths.startGate, { now: Date.now() });
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
      // another one runs
      return last.isSilent && Date.now() - began >= silentMs ? HANGS : null;
    },
  });
}

/** A worker inherits no NODE_EXTRA_CA_CERTS, so the setting that came from it is passed on by its own name. */
function workerEnv({ env, loaded }: Pick<StartContext, 'env' | 'loaded'>) {
  const { sources, settings } = loaded;
  const isInherited = sources.CLAUDE_MEM_CA_FILE === 'env' && settings.caFile !== '';
  return isInherited ? { ...env, CLAUDE_MEM_CA_FILE: settings.caFile } : env;
}

/** Null when nobody answers. */
export async function readHealth(context: Pick<CommandContext, 'worker'>): Promise<Health | null> {
  return (await look(context)).health;
}

async function look({ worker }: Pick<CommandContext, 'worker'>): Promise<Look> {
  try {
    return { health: await worker.within(2_000).health(), isSilent: false };
  } catch (error) {
    return { health: null, isSilent: isSilent(error) };
  }
}

/** So that hooks find the same programs from a host that has another PATH. */
export function rememberPrograms({ loaded, ownFolder }: Pick<StartContext, 'loaded' | 'ownFolder'>): void {
  const { dataDir } = loaded.paths;
  writeDownPrograms(loaded.paths, {
    node: process.execPath,
    command: join(ownFolder, 'claude-mem.js'),
    worker: findWorkerMain(ownFolder, dataDir),
  });
}

async function waitForAnswer(context: StartContext, patienceMs: number): Promise<boolean> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await pause())
    if (await readHealth(context)) return true;
  return false;
}

async function waitUntilReady(
  context: StartContext,
  { wasRunning, hasEnded }: { wasRunning: boolean; hasEnded: (last: Look) => string | null },
): Promise<WorkerStart> {
  let last: Health | null = null;
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await pause()) {
    const found = await look(context);
    last = found.health;
    if (last?.ready) return { kind: 'running', health: last, wasRunning };
    if (last?.status === 'failed') return { kind: 'failed', reason: last.reason ?? 'It reported no reason.' };
    const problem = last === null ? hasEnded(found) : null;
    if (problem !== null) return { kind: 'failed', reason: problem };
  }
  const silent = `It was not ready within ${READY_MS / 1000} s. If it hangs: claude-mem restart. Otherwise see: claude-mem logs`;
  return { kind: 'failed', reason: last?.reason ?? silent };
}

function startProblem(log: string, code: number | string): string {
  const printed = readIfFile(log)?.trim().slice(-2_000) ?? '';
  return `It ended with ${code}${printed ? ` and printed:\n${printed}` : '.'}`;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
