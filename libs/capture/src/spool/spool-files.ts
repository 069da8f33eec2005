import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

export interface FoundFile {
  name: string;
  writtenAt: number;
  bytes: number;
}

export interface SpooledFile extends FoundFile {
  host: string;
  event: string;
  /** Of the hook. Orders files that were written within one tick of the file system's clock. */
  processId: number;
}

/** Events that are larger are not stored. Only the beginning of a larger file is read. */
export const MAX_BYTES = 33 * 1024 * 1024;
/** Bytes that are read of a file that cannot be stored: enough to see its content. */
export const SHOWN_BYTES = 64 * 1024;
const UNFINISHED_MS = 60_000;
/** A file that is created to read the clock of the file system. */
export const CLOCK_PROBE = '.clock';
/**
 * `host.event.id`, where the id of hook.sh begins with its process id. A file is complete under the name `.json`, or when
 * the last byte of an `.event` is the null byte, which spares the hook script a process.
 */
const NAME = /^([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{1,64})\.(\d{0,10})[^/]+\.(?:json|tmp|event)$/;

// Synchronous: thousands of small files are read in a third of the processor time of asynchronous calls.

/** The files of the spool, oldest first, without `.tmp` files that a hook may still write, and files that no hook wrote. */
export function listSpool(
  spoolDir: string,
  { now }: { now: number },
): { files: SpooledFile[]; foreign: FoundFile[] } {
  const files: SpooledFile[] = [];
  const foreign: FoundFile[] = [];
  for (const name of readdirSync(spoolDir)) {
    if (!/\.(json|tmp|event)$/.test(name)) continue;
    const found = lstatSync(join(spoolDir, name), { throwIfNoEntry: false });
    if (found === undefined) continue;
    const file = { name, writtenAt: found.mtimeMs, bytes: found.size };
    if (name.endsWith('.tmp') && isYoung(spoolDir, file, now)) continue;
    const [, host, event, processId] = NAME.exec(name) ?? [];
    if (host === undefined || event === undefined || !found.isFile()) foreign.push(file);
    else files.push({ ...file, host, event, processId: Number(processId) });
  }
  files.sort((a, b) => a.writtenAt - b.writtenAt || a.processId - b.processId || (a.name < b.name ? -1 : 1));
  return { files, foreign };
}

/** The event of a file. Null when the hook still writes the file, or has removed it because the event was delivered. */
export function readEvent(spoolDir: string, file: FoundFile, { now }: { now: number }): Buffer | null {
  const path = join(spoolDir, file.name);
  if (!file.name.endsWith('.event')) return readSpooled(path, file.bytes);
  const descriptor = openSpooled(path);
  if (descriptor === null) return null;
  try {
    const last = Buffer.alloc(1, 1);
    readSync(descriptor, last, 0, 1, Math.max(0, file.bytes - 1));
    if (last[0] !== 0 && isYoung(spoolDir, file, now)) return null;
  } finally {
    closeSync(descriptor);
  }
  const bytes = readSpooled(path, file.bytes);
  return bytes?.at(-1) === 0 ? bytes.subarray(0, -1) : bytes;
}

/** The bytes of a file, or the beginning of a large file. Null when the file is gone. */
export function readSpooled(path: string, size: number): Buffer | null {
  const descriptor = openSpooled(path);
  if (descriptor === null) return null;
  try {
    if (size <= MAX_BYTES) return readFileSync(descriptor);
    const begin = Buffer.alloc(SHOWN_BYTES);
    return begin.subarray(0, readSync(descriptor, begin, 0, SHOWN_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Whether a hook may still write the file. The clock of the file system can differ from the clock of this process. */
function isYoung(spoolDir: string, { writtenAt }: FoundFile, now: number): boolean {
  if (now - writtenAt < UNFINISHED_MS) return true;
  const probe = join(spoolDir, CLOCK_PROBE);
  try {
    writeFileSync(probe, '', { mode: 0o600 });
    return statSync(probe).mtimeMs - writtenAt < UNFINISHED_MS;
  } catch {
    // the disk is full or read-only: a later drain decides
    return true;
  } finally {
    rmSync(probe, { force: true });
  }
}

function openSpooled(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
