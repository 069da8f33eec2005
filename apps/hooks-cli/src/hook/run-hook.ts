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
  /** An event that hook.sh has written already; stdin is not read then. */
  spooled?: string | undefined;
  env: HookCall['env'];
  stdin: Readable;
  /** Folder that the host works in, as in `findDataDir`. */
  cwd: string | undefined;
  /** Folder of this program, to find the worker from. */
  ownFolder: string;
}

/** How long a hook may wait for the worker in all. */
const WAIT_MS = 800;
/** How long it may wait with the result of a tool: agents use many tools. */
const TOOL_RESULT_WAIT_MS = 300;
const PAUSE_MS = 40;

/**
 * Does what hook.sh does, on systems without a POSIX shell. Resolves with the output for the host: the worker's answer, or
 * nothing.
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
  const call = existsSync(paths.failureRecallMarker) ? asQuestion(named) : named;
  const file =
    options.spooled === undefined
      ? createSpoolFile(paths.spoolDir, call, await readStdin(options.stdin))
      : spoolFileAt(options.spooled, readFileSync(options.spooled));
  if (file === null) return formatDiscarded(call);
  if (!isQuestion(call)) {
    file.keep();
    if (!isWorkerAlive(paths)) await start(paths, options);
    return nothing;
  }
  const answer = await ask(file, call, { paths, options });
  // the worker answers before it stores the event
  if (answer === null || isToolResult(call)) file.keep();
  else file.remove();
  return answer ?? nothing;
}

/** Null when the data folder is refused. */
function findPaths(options: FindDataDirOptions): DataPaths | null {
  try {
    return dataPaths(findDataDir(options));
  } catch (error) {
    if (SettingsError.isInstance(error)) return null;
    throw error;
  }
}

/** While the marker exists, the worker responds to tool results, which are posted under their own event names. */
function asQuestion(call: HookCall): HookCall {
  if (call.host !== 'claude-code') return call;
  if (call.event === 'PostToolUse') return { ...call, event: 'ToolResult' };
  return call.event === 'PostToolUseFailure' ? { ...call, event: 'ToolFailure' } : call;
}

/** Whether the host uses the answer: context at the start of a session, with a prompt, or with the result of a tool. */
const isQuestion = (call: HookCall) =>
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

/** A copy of the hook without its package has none. */
function readVersion(ownFolder: string): string | null {
  const manifest = join(ownFolder, '..', 'package.json');
  if (!existsSync(manifest)) return null;
  return /"version": *"([^"\\]{1,64})"/.exec(readFileSync(manifest, 'utf8'))?.[1] ?? null;
}

/** The body of a 200, or null. */
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
    // the worker is busy: a second one would only take its processor time
    if (result.kind === 'late') return null;
    if (isFirst && result.kind === 'unanswered' && !(await start(paths, options))) return null;
    // only a session's start has an answer worth waiting for
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

/** False when no worker can come up by waiting. */
async function start(paths: DataPaths, { env, ownFolder }: RunHookOptions): Promise<boolean> {
  const lock = acquireStartupLock(paths.startGate, { now: Date.now() });
  if (lock !== 'acquired') return lock === 'held';
  // loaded only now: most hooks start no process
  const { spawnWorker } = await import('../worker-process/spawn-worker.js');
  return spawnWorker({ dataDir: paths.dataDir, logsDir: paths.logsDir, ownFolder, env }).kind === 'spawned';
}
