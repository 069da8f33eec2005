import { rmSync, watch } from 'node:fs';
import { lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, pause, type Clock } from '@claude-mem/core';
import { scrubText } from '@claude-mem/privacy';
import type { DataPaths } from '@claude-mem/settings';
import type { WorkerLog } from '../log/create-log.js';
import { isStorageUnavailable } from './is-storage-unavailable.js';
import {
  CLOCK_PROBE,
  listSpool,
  MAX_BYTES,
  readEvent,
  readSpooled,
  SHOWN_BYTES,
  type FoundFile,
  type SpooledFile,
} from './spool-files.js';

export type SpoolTake =
  | { kind: 'done' }
  /** Can never be used. */
  | { kind: 'unusable'; reason: string };

export interface Spool {
  /**
   * Stores every complete file in the folder, oldest first.
   * @returns false when nothing can be stored at the moment: later events must wait too
   */
  drain(): Promise<boolean>;
  /** Drains again whenever something comes in, until aborted. */
  watch(options: { signal: AbortSignal }): Promise<void>;
  counts(): Promise<{ waiting: number; rejected: number }>;
  /** Deletes files that were rejected more than this number of days ago. */
  prune(days: number): Promise<void>;
  /** Deletes every rejected file. Returns how many. */
  deleteRejected(): Promise<number>;
}

const AT_ONCE = 100;
const SETTLE_MS = 30;
const RESCAN_MS = 15_000;
const DAY_MS = 86_400_000;
/**
 * Stores the events that hooks write to the spool folder. A file is deleted only after its event is committed. A file that
 * can never be used is moved to spool/rejected. A file that has to wait for the database is kept.
 */
export function createSpool({
  paths,
  take,
  clock,
  log,
}: {
  paths: DataPaths;
  take(hook: { host: string; event: string; body: Uint8Array; occurredAtEpoch: number }): Promise<SpoolTake>;
  clock: Clock;
  log: WorkerLog;
}): Spool {
  let running: Promise<boolean> | null = null;
  /** Begins when the running drain ends, because a file may have been written after that drain listed the folder. */
  let next: Promise<boolean> | null = null;
  /** What was said of files that are still there. */
  const said = new Map<string, string>();

  /**
   * Files are read and submitted one after the other, in the order in which they are stored, and committed in groups. A file
   * that cannot be used does not block the others. While nothing can be stored, all later files wait.
   */
  const drainOnce = async (): Promise<boolean> => {
    let open: Promise<void>[] = [];
    let mustWait = false;
    const takeOrLeave = (file: SpooledFile, body: Uint8Array) =>
      takeFile(file, body).catch((error: unknown) => {
        if (isStorageUnavailable(error)) mustWait = true;
        hasToWait(file, error);
      });
    const now = clock.now();
    const { files, foreign } = listSpool(paths.spoolDir, { now });
    for (const file of foreign) await reject(file, 'not written by a hook');
    for (const file of files) {
      if (mustWait) break;
      let body: Buffer | null = null;
      try {
        body = readEvent(paths.spoolDir, file, { now });
      } catch (error) {
        hasToWait(file, error);
      }
      if (body !== null) open.push(takeOrLeave(file, body));
      if (open.length < AT_ONCE) continue;
      await Promise.all(open);
      open = [];
    }
    await Promise.all(open);
    if (said.size === 0) return !mustWait;
    const names = new Set(await readdir(paths.spoolDir));
    for (const name of said.keys()) if (!names.has(name)) said.delete(name);
    return !mustWait;
  };

  const takeFile = async (file: SpooledFile, body: Uint8Array) => {
    const taken = await take({
      ...file,
      body,
      occurredAtEpoch: Math.min(Math.floor(file.writtenAt), clock.now()),
    });
    const isLarge = file.bytes > MAX_BYTES;
    if (taken.kind === 'unusable') await reject(file, isLarge ? 'too large' : taken.reason);
    else rmSync(join(paths.spoolDir, file.name), { force: true });
  };

  /** Once, and again when the file or what is wrong with it changed. */
  const warn = (
    { name, ...state }: FoundFile,
    wrong: { reason?: string; error: unknown },
    message: string,
  ) => {
    const { code = messageOf(wrong.error) } = wrong.error as { code?: unknown };
    const now = [message, wrong.reason, code, state.writtenAt, state.bytes].join();
    if (said.get(name) === now) return;
    said.set(name, now);
    log.warn({ file: name, ...wrong }, message);
  };

  const hasToWait = (file: FoundFile, error: unknown) => warn(file, { error }, 'A spooled event has to wait');

  async function reject(file: FoundFile, reason: string): Promise<void> {
    try {
      await moveToRejected(file.name);
      log.warn({ file: file.name, reason }, 'A spool file cannot be used and was moved to spool/rejected');
    } catch (error) {
      warn(file, { reason, error }, 'A spool file cannot be used and cannot be moved to spool/rejected');
    }
  }

  async function moveToRejected(name: string) {
    await mkdir(paths.rejectedDir, { recursive: true, mode: 0o700 });
    const [from, to] = [join(paths.spoolDir, name), join(paths.rejectedDir, name)];
    let begin: Buffer | null = null;
    try {
      begin = readSpooled(from, Infinity);
    } catch (error) {
      log.debug({ file: name, error }, 'A rejected file cannot be read');
    }
    if (begin === null) return rename(from, to);
    // half a secret looks like none
    const whole = begin.length < SHOWN_BYTES ? begin.toString() : begin.toString().replace(/\S{1,512}$/, '');
    // nobody knows what is in it, so it is kept as everything else is: without private text and secrets
    await writeFile(to, scrubText(whole).text, { mode: 0o600 });
    await rm(from, { force: true });
  }

  const deleteRejectedBefore = async (latest: number): Promise<number> => {
    let deleted = 0;
    for (const name of (await readdir(paths.rejectedDir).catch(ignoreGone)) ?? []) {
      const file = join(paths.rejectedDir, name);
      const found = await lstat(file).catch(ignoreGone);
      // the time of its last move, not the one of its event
      if (found === null || found.isDirectory() || found.ctimeMs >= latest) continue;
      await rm(file, { force: true });
      deleted += 1;
    }
    return deleted;
  };

  const cannotRead = (error: unknown) => log.warn({ error }, 'The spool cannot be read');

  const drain = (): Promise<boolean> => {
    if (running === null)
      // later, so that a call from within already finds it running
      return (running = Promise.resolve()
        .then(drainOnce)
        .finally(() => (running = null)));
    next ??= running
      .catch(() => false)
      .then(() => {
        next = null;
        return drain();
      });
    return next;
  };

  return {
    drain,
    async watch({ signal }) {
      const wake = watchFolder(paths.spoolDir, { log, signal });
      while (!signal.aborted) {
        const isWoken = await wake.next(RESCAN_MS, clock);
        if (signal.aborted) break;
        if (isWoken) await pause(clock, SETTLE_MS, signal);
        if (!signal.aborted) await drain().catch(cannotRead);
      }
      await running;
    },
    async counts() {
      const namesIn = (folder: string) => readdir(folder).catch((error: unknown) => ignoreGone(error) ?? []);
      const [waiting, rejected] = await Promise.all([namesIn(paths.spoolDir), namesIn(paths.rejectedDir)]);
      return {
        waiting: waiting.filter((name) => /\.(json|event)$/.test(name)).length,
        rejected: rejected.length,
      };
    },
    async prune(days) {
      await deleteRejectedBefore(clock.now() - days * DAY_MS);
    },
    deleteRejected: () => deleteRejectedBefore(Infinity),
  };
}

function ignoreGone(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}

/** Where the system cannot watch a folder, the regular look has to do. */
function watchFolder(folder: string, { log, signal }: { log: WorkerLog; signal: AbortSignal }) {
  // what came in between the last drain and the first alert is looked for at once
  let isWoken = true;
  let wake = () => {};
  const alert = (_change: string, name: string | null) => {
    if (name?.endsWith('.tmp') || name === CLOCK_PROBE) return;
    isWoken = true;
    wake();
  };
  try {
    const watcher = watch(folder, { persistent: false, signal }, alert);
    watcher.on('error', (error) => log.warn({ error }, 'The spool is no longer watched, only looked at'));
  } catch (error) {
    log.warn({ error }, 'The spool cannot be watched, only looked at');
  }
  return {
    async next(limitMs: number, clock: Clock): Promise<boolean> {
      const stop = new AbortController();
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
        if (isWoken || signal.aborted) resolve();
      });
      const ended = () => wake();
      signal.addEventListener('abort', ended, { once: true });
      await Promise.race([woken, pause(clock, limitMs, stop.signal)]);
      signal.removeEventListener('abort', ended);
      stop.abort();
      const was = isWoken;
      isWoken = false;
      return was;
    },
  };
}
