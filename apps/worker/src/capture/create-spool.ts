import { constants, watch } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, pause, type Clock } from '@claude-mem/core';
import { scrubText } from '@claude-mem/privacy';
import type { DataPaths } from '@claude-mem/settings';
import type { WorkerLog } from '../log/create-log.js';
import { isBusy } from './is-busy.js';

export type SpoolTake =
  | { kind: 'done' }
  /** Can never be used. */
  | { kind: 'unusable'; reason: string };

export interface Spool {
  /** Takes everything that lies there, oldest first; resolves when all is committed or known to have to wait. */
  drain(): Promise<void>;
  /** Resolves once all that is known to lie there is taken, so that an event that came later is not stored before it. */
  caughtUp(): Promise<void>;
  /** Drains again whenever something comes in, until aborted. */
  watch(options: { signal: AbortSignal }): Promise<void>;
  counts(): Promise<{ waiting: number; rejected: number }>;
  /** Deletes what was set aside more than so many days ago. */
  prune(days: number): Promise<void>;
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
/** `host.event.id`, written by the hook script. */
const NAME = /^([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{1,64})\.[^/]+\.(json|tmp)$/;

interface FoundFile {
  name: string;
  writtenAt: number;
  bytes: number;
}

interface SpooledFile extends FoundFile {
  host: string;
  event: string;
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
  let draining: Promise<void> | null = null;
  let again = false;
  /** Something lies there that no drain has begun to take, or that a busy database did not take. */
  let hasNews = false;
  /** What was said of files that are still there. */
  const said = new Map<string, string>();

  /**
   * Read and handed over one after the other, since that is the order they are stored in; committed in groups. What is wrong with one
   * file holds back no other; while the database is busy, nothing comes in before what was earlier.
   */
  const drainOnce = async () => {
    let open: Promise<void>[] = [];
    let mustWait = false;
    const takeOrLeave = (file: SpooledFile, body: Uint8Array) =>
      takeFile(file, body).catch((error: unknown) => {
        if (isBusy(error)) mustWait = hasNews = true;
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
    if (said.size === 0) return;
    const names = new Set(await readdir(paths.spoolDir));
    for (const name of said.keys()) if (!names.has(name)) said.delete(name);
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

  const cannotRead = (error: unknown) => log.warn({ error }, 'The spool cannot be read');

  const drain = async (): Promise<void> => {
    if (draining !== null) {
      again = true;
      return draining;
    }
    draining = (async () => {
      do {
        again = false;
        hasNews = false;
        await drainOnce();
      } while (again);
    })().finally(() => {
      draining = null;
    });
    return draining;
  };

  return {
    drain,
    async caughtUp() {
      await draining?.catch(cannotRead);
      await (hasNews ? drain() : draining)?.catch(cannotRead);
    },
    async watch({ signal }) {
      const wake = watchFolder(paths.spoolDir, { log, signal, onNews: () => (hasNews = true) });
      hasNews = true;
      while (!signal.aborted) {
        const isWoken = await wake.next(RESCAN_MS, clock);
        if (signal.aborted) break;
        if (isWoken) await pause(clock, SETTLE_MS, signal);
        if (!signal.aborted) await drain().catch(cannotRead);
      }
      await draining;
    },
    async counts() {
      const namesIn = (folder: string) => readdir(folder).catch((error: unknown) => ignoreGone(error) ?? []);
      const [waiting, rejected] = await Promise.all([namesIn(paths.spoolDir), namesIn(paths.rejectedDir)]);
      return { waiting: waiting.filter((name) => name.endsWith('.json')).length, rejected: rejected.length };
    },
    async prune(days) {
      const oldest = clock.now() - days * DAY_MS;
      for (const name of (await readdir(paths.rejectedDir).catch(ignoreGone)) ?? []) {
        const file = join(paths.rejectedDir, name);
        const found = await lstat(file).catch(ignoreGone);
        // the time of its last move, not the one of its event
        if (found !== null && !found.isDirectory() && found.ctimeMs < oldest) await rm(file, { force: true });
      }
    },
  };
}

/** Complete files, and those a hook left unfinished more than a minute ago; oldest first. */
async function listSpool(
  { spoolDir }: DataPaths,
  { now, setAside }: { now: number; setAside(file: FoundFile, reason: string): Promise<void> },
): Promise<SpooledFile[]> {
  const files: SpooledFile[] = [];
  for (const name of await readdir(spoolDir)) {
    const isComplete = name.endsWith('.json');
    if (!isComplete && !name.endsWith('.tmp')) continue;
    const found = await lstat(join(spoolDir, name)).catch(ignoreGone);
    if (found === null || (!isComplete && now - found.mtimeMs < UNFINISHED_MS)) continue;
    const match = NAME.exec(name);
    const file = { name, writtenAt: found.mtimeMs, bytes: found.size };
    if (!found.isFile() || match === null) await setAside(file, 'not written by a hook');
    else files.push({ ...file, host: match[1] as string, event: match[2] as string });
  }
  return files.sort((a, b) => a.writtenAt - b.writtenAt || (a.name < b.name ? -1 : 1));
}

/** Null when the file is gone: its hook has delivered it after all. */
async function readSpooled(path: string, mostBytes?: number): Promise<Buffer | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    ignoreGone,
  );
  if (handle === null) return null;
  try {
    if (mostBytes === undefined) return await handle.readFile();
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
function watchFolder(
  folder: string,
  { log, signal, onNews }: { log: WorkerLog; signal: AbortSignal; onNews: () => void },
) {
  // what came in between the last drain and the first alert is looked for at once
  let isWoken = true;
  let wake = () => {};
  const alert = (_change: string, name: string | null) => {
    if (name?.endsWith('.json') === false) return;
    onNews();
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
