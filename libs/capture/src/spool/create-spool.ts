import { rmSync, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, pause, type Clock, type Logger } from '@claude-mem/core';
import type { DataPaths } from '@claude-mem/settings';
import { isStorageUnavailable } from '../events/is-storage-unavailable.js';
import { createRejectedFiles, ignoreMissing } from './rejected-files.js';
import {
  CLOCK_PROBE,
  listSpool,
  MAX_BYTES,
  readEvent,
  type FoundFile,
  type SpooledFile,
} from './spool-files.js';

/** Result of storing one file. */
export type SpoolResult =
  | { kind: 'done' }
  /** The file will be moved to `spool/rejected`. */
  | { kind: 'unusable'; reason: string };

export interface Spool {
  /**
   * Stores every complete file in the folder, oldest first.
   * @returns false when nothing can be stored at the moment; later events must then wait
   */
  drain(): Promise<boolean>;
  /** Drains after each change of the folder and every 15 seconds, until the signal is aborted. */
  watch(options: { signal: AbortSignal }): Promise<void>;
  /** Returns the number of waiting files and of rejected files. */
  counts(): Promise<{ waiting: number; rejected: number }>;
  /** Deletes files that were rejected more than this number of days ago. */
  prune(days: number): Promise<void>;
  /** Deletes every rejected file. Returns how many. */
  deleteRejected(): Promise<number>;
}

const MAX_PARALLEL = 100;
const SETTLE_MS = 30;
const RESCAN_MS = 15_000;
const DAY_MS = 86_400_000;
/**
 * Stores the events that hooks write to the spool folder. A file is deleted only after its event is committed.
 * Invalid files are moved to spool/rejected. Files that wait for the database stay.
 * @param options.take stores one event
 */
export function createSpool({
  paths,
  take,
  clock,
  log,
}: {
  paths: Pick<DataPaths, 'spoolDir' | 'rejectedDir'>;
  take(hook: {
    host: string;
    event: string;
    body: Uint8Array;
    occurredAtEpoch: number;
  }): Promise<SpoolResult>;
  clock: Clock;
  log: Logger;
}): Spool {
  const rejectedFiles = createRejectedFiles(paths, log);
  let running: Promise<boolean> | null = null;
  /** Begins when the running drain ends, because a file may have been written after that drain listed the folder. */
  let next: Promise<boolean> | null = null;
  /** The latest warning about each file that is still in the folder. */
  const warned = new Map<string, string>();

  /**
   * Reads and submits the files in their order, and commits them in groups. An invalid file does not block the
   * others. While nothing can be stored, all later files wait.
   */
  const drainOnce = async (): Promise<boolean> => {
    let open: Promise<void>[] = [];
    let mustWait = false;
    const takeOrKeep = (file: SpooledFile, body: Uint8Array) =>
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
      if (body !== null) open.push(takeOrKeep(file, body));
      if (open.length < MAX_PARALLEL) continue;
      await Promise.all(open);
      open = [];
    }
    await Promise.all(open);
    if (warned.size === 0) return !mustWait;
    const names = new Set(await readdir(paths.spoolDir));
    for (const name of warned.keys()) if (!names.has(name)) warned.delete(name);
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

  /** Logs once per file, and again when the file or the error changes. */
  const warn = (
    { name, ...state }: FoundFile,
    problem: { reason?: string; error: unknown },
    message: string,
  ) => {
    const { code = messageOf(problem.error) } = problem.error as { code?: unknown };
    const now = [message, problem.reason, code, state.writtenAt, state.bytes].join();
    if (warned.get(name) === now) return;
    warned.set(name, now);
    log.warn({ file: name, ...problem }, message);
  };

  const hasToWait = (file: FoundFile, error: unknown) => warn(file, { error }, 'A spooled event has to wait');

  async function reject(file: FoundFile, reason: string): Promise<void> {
    try {
      await rejectedFiles.add(file.name);
      log.warn({ file: file.name, reason }, 'A spool file cannot be used and was moved to spool/rejected');
    } catch (error) {
      warn(file, { reason, error }, 'A spool file cannot be used and cannot be moved to spool/rejected');
    }
  }

  const cannotRead = (error: unknown) => log.warn({ error }, 'The spool cannot be read');

  const drain = (): Promise<boolean> => {
    if (running === null)
      // The drain starts asynchronously, so that a nested call finds it in `running`.
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
      const namesIn = (folder: string) =>
        readdir(folder).catch((error: unknown) => ignoreMissing(error) ?? []);
      const [waiting, rejected] = await Promise.all([namesIn(paths.spoolDir), namesIn(paths.rejectedDir)]);
      return {
        waiting: waiting.filter((name) => /\.(json|event)$/.test(name)).length,
        rejected: rejected.length,
      };
    },
    async prune(days) {
      await rejectedFiles.deleteBefore(clock.now() - days * DAY_MS);
    },
    deleteRejected: () => rejectedFiles.deleteBefore(Infinity),
  };
}

/** Wakes up at changes of the folder. If the system cannot watch the folder, only the regular scan finds new files. */
function watchFolder(folder: string, { log, signal }: { log: Logger; signal: AbortSignal }) {
  // The first scan is immediate, because files may have been written before the watch started.
  let isWoken = true;
  let wake = () => {};
  const alert = (_change: string, name: string | null) => {
    if (name?.endsWith('.tmp') || name === CLOCK_PROBE) return;
    isWoken = true;
    wake();
  };
  try {
    const watcher = watch(folder, { persistent: false, signal }, alert);
    watcher.on('error', (error) => log.warn({ error }, 'The spool is no longer watched, only scanned'));
  } catch (error) {
    log.warn({ error }, 'The spool cannot be watched, only scanned');
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
