import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  dataPaths,
  findDataDir,
  SettingsError,
  type DataPaths,
  type FindDataDirOptions,
} from '@claude-mem/settings';
import { readIfFile, socketOf } from '@claude-mem/worker-protocol/local';
import { acquireStartupLock } from '../worker-process/startup-lock.js';
import { formatDiscarded } from './format-discarded.js';
import { isSwitchedOff, plainName, type HookCall } from './hook-event.js';
import { postEvent, type PostResult } from './post-event.js';
import { readStdin } from './read-stdin.js';
import { createSpoolFile, spoolFileAt, type SpoolFile } from './spool-file.js';

export interface RunHookOptions {
  host: string | undefined;
  event: string | undefined;
  /** Spool file that hook.sh has written. If set, stdin is not read. */
  spooled?: string | undefined;
  env: HookCall['env'];
  stdin: Readable;
  /** Current folder of the host, as in `findDataDir`. */
  cwd: string | undefined;
  /** Folder of this program. The worker is found relative to it. */
  ownFolder: string;
}

/** Total time that a hook waits for the worker. */
const WAIT_MS = 800;
/** Shorter for tool results, because agents use many tools. */
const TOOL_RESULT_WAIT_MS = 300;
const PAUSE_MS = 40;

/**
 * Does the same as hook.sh, for systems without a POSIX shell. Resolves with the output for the host: the response of the
 * worker, or an empty buffer.
 */
export async function runHook(options: RunHookOptions): Promise<Buffer> {
  const nothing = Buffer.alloc(0);
  const { env } = options;
  if (isSwitchedOff(env)) return nothing;
  const named = {
    host: plainName(options.host),
    event: plainName(options.event),
    version: readVersion(options.ownFolder),
    env,
  };
  const home = env['HOME'] || env['USERPROFILE'] || '';
  const paths = findPaths({ env, home, cwd: options.cwd });
  if (paths === null) {
    await readStdin(options.stdin);
    return formatDiscarded(named);
  }
  const call = existsSync(paths.failureRecallMarker) ? asAnsweredEvent(named) : named;
  const file =
    options.spooled === undefined
      ? createSpoolFile(paths.spoolDir, call, await readStdin(options.stdin))
      : spoolFileAt(options.spooled, readFileSync(options.spooled));
  if (file === null) return formatDiscarded(call);
  if (!expectsAnswer(call)) {
    file.publish();
    if (!isWorkerAlive(paths)) await start(paths, options);
    return nothing;
  }
  const answer = await ask(file, call, { paths, options });
  // the worker answers a tool result before it stores the event, so the spool file must stay
  if (answer === null || isToolResult(call)) file.publish();
  else file.remove();
  return answer ?? nothing;
}

/** Returns null when the data folder is refused. */
function findPaths(options: FindDataDirOptions): DataPaths | null {
  try {
    return dataPaths(findDataDir(options));
  } catch (error) {
    if (SettingsError.isInstance(error)) return null;
    throw error;
  }
}

/** While the marker file exists, the worker responds to tool results. They are posted under other event names. */
function asAnsweredEvent(call: HookCall): HookCall {
  if (call.host !== 'claude-code') return call;
  if (call.event === 'PostToolUse') return { ...call, event: 'ToolResult' };
  return call.event === 'PostToolUseFailure' ? { ...call, event: 'ToolFailure' } : call;
}

/** Whether the host uses the response: context at a session start, with a prompt, or with a tool result. */
const expectsAnswer = (call: HookCall) =>
  /^(sessionStart|userPromptSubmit|beforeSubmitPrompt|beforeAgent|chatMessage)$/i.test(call.event) ||
  isToolResult(call);

const isToolResult = ({ event }: HookCall) => /^(?:fileRead|toolResult|toolFailure)$/i.test(event);

function isWorkerAlive({ pidFile }: DataPaths): boolean {
  try {
    const pid = Number(readIfFile(pidFile));
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Returns null for a copy of the hook without its package. */
function readVersion(ownFolder: string): string | null {
  const manifest = join(ownFolder, '..', 'package.json');
  if (!existsSync(manifest)) return null;
  return /"version": *"([^"\\]{1,64})"/.exec(readFileSync(manifest, 'utf8'))?.[1] ?? null;
}

/** Returns the body of a 200 response, or null. */
async function ask(
  file: SpoolFile,
  call: HookCall,
  { paths, options }: { paths: DataPaths; options: RunHookOptions },
): Promise<Buffer | null> {
  const deadline = Date.now() + (isToolResult(call) ? TOOL_RESULT_WAIT_MS : WAIT_MS);
  const isSessionStart = /^sessionStart$/i.test(call.event);
  for (let isFirst = true; ; isFirst = false) {
    const result = await post(file, call, { paths, timeoutMs: deadline - Date.now() });
    if (result.kind === 'answered' && result.status === 200) return result.body;
    if (result.kind === 'answered' && result.status !== 503) return null;
    // the worker is busy; a second worker would only slow it down
    if (result.kind === 'late') return null;
    if (isFirst && result.kind === 'unanswered' && !(await start(paths, options))) return null;
    // only a session start waits for the worker to start
    if (!isSessionStart || deadline - Date.now() < 100) return null;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function post(
  file: SpoolFile,
  { host, event }: HookCall,
  { paths, timeoutMs }: { paths: DataPaths; timeoutMs: number },
): Promise<PostResult> {
  const socket = socketOf(paths);
  if (!existsSync(socket)) return Promise.resolve({ kind: 'unanswered' });
  return postEvent({ socket, path: `/api/hooks/${host}/${event}`, body: file.bytes, timeoutMs });
}

/** Returns false when waiting is useless because no worker is starting. */
async function start(paths: DataPaths, { env, ownFolder }: RunHookOptions): Promise<boolean> {
  const lock = acquireStartupLock(paths.startupLock, { now: Date.now() });
  if (lock !== 'acquired') return lock === 'held';
  // imported lazily, because most hooks start no process
  const { spawnWorker } = await import('../worker-process/spawn-worker.js');
  return spawnWorker({ dataDir: paths.dataDir, logsDir: paths.logsDir, ownFolder, env }).kind === 'spawned';
}
