import { constants, watch, type Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, pause, type Clock } from '@claude-mem/core';
import { scrubText } from '@claude-mem/privacy';
import type { DataPaths } from '@claude-mem/settings';
import type { WorkerLog } from '../log/create-log.js';
import { isStorageUnavailable } from './is-storage-unavailable.js';

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
  /** Deletes what was set aside more than so many days ago. */
  prune(days: number): Promise<void>;
  /** Deletes every rejected file. Returns how many. */
  deleteRejected(): Promise<number>;
}

/** Of what is longer only the begin is read: enough to see whose it is. */
const MAX_BYTES = 33 * 1024 * 1024;
const AT_ONCE = 100;
/** Of what is set aside: enough to see what it was. */
const SHOWN_BYTES = 64 * 1024;
const UNFINISHED_MS = 60_000;
const SETTLE_MS = 30;
const RESCAN_MS = 15_000;
const DAY_MS = 86_400_000;
/**
 * `host.event.id`, where the id begins with the process id of the hook. A file is complete under the name `.json`, or when
 * the last byte of an `.event` is the null byte, which spares the hook script a process.
 */
const NAME = /^([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{1,64})\.(\d{0,10})[^/]+\.(?:json|tmp|event)$/;

interface FoundFile {
  name: string;
  writtenAt: number;
  bytes: number;
}

interface SpooledFile extends FoundFile {
  host: string;
  event: string;
  /** Of the hook. Orders files that were written within one tick of the file system's clock. */
  processId: number;
}

/**
 * The folder where hooks leave events that no worker took. A file goes only after its event is committed; one that can
 * never be used is set aside, and one that has to wait for the database stays.
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
    for (const file of await listSpool(paths, { now: clock.now(), setAside })) {
      if (mustWait) break;
      const most = file.bytes > MAX_BYTES ? SHOWN_BYTES : undefined;
      const body = await readSpooled(join(paths.spoolDir, file.name), most).catch((error: unknown) =>
        hasToWait(file, error),
      );
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
    if (taken.kind === 'unusable') await setAside(file, isLarge ? 'too large' : taken.reason);
    else await rm(join(paths.spoolDir, file.name), { force: true });
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

  const hasToWait = (file: FoundFile, error: unknown): null => {
    warn(file, { error }, 'A spooled event has to wait');
    return null;
  };

  async function setAside(file: FoundFile, reason: string): Promise<void> {
    try {
      await moveAside(file.name);
      log.warn({ file: file.name, reason }, 'A spooled event cannot be used; set aside');
    } catch (error) {
      warn(file, { reason, error }, 'A spooled event can neither be used nor be set aside');
    }
  }

  async function moveAside(name: string) {
    await mkdir(paths.rejectedDir, { recursive: true, mode: 0o700 });
    const [from, to] = [join(paths.spoolDir, name), join(paths.rejectedDir, name)];
    const begin = await readSpooled(from, SHOWN_BYTES).catch((error: unknown) => {
      log.debug({ file: name, error }, 'What is set aside cannot be read');
      return null;
    });
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
    if (running === null) return (running = drainOnce().finally(() => (running = null)));
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

/** Complete files, and those a hook left unfinished more than a minute ago; oldest first. */
async function listSpool(
  { spoolDir }: DataPaths,
  { now, setAside }: { now: number; setAside(file: FoundFile, reason: string): Promise<void> },
): Promise<SpooledFile[]> {
  const files: SpooledFile[] = [];
  for (const name of await readdir(spoolDir)) {
    if (!/\.(json|tmp|event)$/.test(name)) continue;
    const path = join(spoolDir, name);
    const found = await lstat(path).catch(ignoreGone);
    if (found === null) continue;
    const isComplete =
      name.endsWith('.json') || (name.endsWith('.event') && (await endsWithNull(path, found)));
    if (!isComplete && now - found.mtimeMs < UNFINISHED_MS) continue;
    const match = NAME.exec(name);
    const file = { name, writtenAt: found.mtimeMs, bytes: found.size };
    if (!found.isFile() || match === null) await setAside(file, 'not written by a hook');
    else
      files.push({
        ...file,
        host: match[1] as string,
        event: match[2] as string,
        processId: Number(match[3]),
      });
  }
  return files.sort((a, b) => a.writtenAt - b.writtenAt || a.processId - b.processId);
}

async function endsWithNull(path: string, found: Stats): Promise<boolean> {
  if (!found.isFile() || found.size === 0) return false;
  const handle = await openSpooled(path);
  if (handle === null) return false;
  try {
    const { buffer } = await handle.read({ buffer: Buffer.alloc(1, 1), position: found.size - 1 });
    return buffer[0] === 0;
  } finally {
    await handle.close();
  }
}

const openSpooled = (path: string) =>
  open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(ignoreGone);

/** The event without the null byte. Null when the file is gone: its hook has delivered it after all. */
async function readSpooled(path: string, mostBytes?: number): Promise<Buffer | null> {
  const handle = await openSpooled(path);
  if (handle === null) return null;
  try {
    if (mostBytes === undefined) {
      const bytes = await handle.readFile();
      return path.endsWith('.event') && bytes.at(-1) === 0 ? bytes.subarray(0, -1) : bytes;
    }
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(mostBytes), position: 0 });
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
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
    if (name?.endsWith('.tmp')) return;
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
