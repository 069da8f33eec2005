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
  /** Process id of the hook. It orders files that were written within one tick of the file system clock. */
  processId: number;
}

/** Maximum size of an event in bytes. Larger events are not stored, and only their beginning is read. */
export const MAX_BYTES = 33 * 1024 * 1024;
/** Bytes that are read of an invalid file, enough to recognize its content. */
export const EXCERPT_BYTES = 64 * 1024;
const UNFINISHED_MS = 60_000;
/** A file that is created to read the clock of the file system. */
export const CLOCK_PROBE = '.clock';
/**
 * File names have the form `host.event.id`. The id of hook.sh begins with its process id. A file is complete if it
 * ends with `.json`, or if it is an `.event` file whose last byte is null. The null byte saves a rename process in
 * the hook script.
 */
const NAME = /^([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{1,64})\.(\d{0,10})[^/]+\.(?:json|tmp|event)$/;

// All file access is synchronous. For thousands of small files, this takes a third of the processor time of
// asynchronous access.

/**
 * Lists the files of the spool, oldest first, and the files that no hook wrote. Skips `.tmp` files that a hook may
 * still write.
 */
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
    if (name.endsWith('.tmp') && mayBeIncomplete(spoolDir, file, now)) continue;
    const [, host, event, processId] = NAME.exec(name) ?? [];
    if (host === undefined || event === undefined || !found.isFile()) foreign.push(file);
    else files.push({ ...file, host, event, processId: Number(processId) });
  }
  files.sort((a, b) => a.writtenAt - b.writtenAt || a.processId - b.processId || (a.name < b.name ? -1 : 1));
  return { files, foreign };
}

/**
 * Returns the event in a file. Null means that the hook still writes the file, or has removed it after delivering the
 * event.
 */
export function readEvent(spoolDir: string, file: FoundFile, { now }: { now: number }): Buffer | null {
  const path = join(spoolDir, file.name);
  if (!file.name.endsWith('.event')) return readSpooled(path, file.bytes);
  const descriptor = openSpooled(path);
  if (descriptor === null) return null;
  try {
    const last = Buffer.alloc(1, 1);
    readSync(descriptor, last, 0, 1, Math.max(0, file.bytes - 1));
    if (last[0] !== 0 && mayBeIncomplete(spoolDir, file, now)) return null;
  } finally {
    closeSync(descriptor);
  }
  const bytes = readSpooled(path, file.bytes);
  return bytes?.at(-1) === 0 ? bytes.subarray(0, -1) : bytes;
}

/** Returns the bytes of a file, or the beginning of a large file. Null means that the file does not exist any more. */
export function readSpooled(path: string, size: number): Buffer | null {
  const descriptor = openSpooled(path);
  if (descriptor === null) return null;
  try {
    if (size <= MAX_BYTES) return readFileSync(descriptor);
    const begin = Buffer.alloc(EXCERPT_BYTES);
    return begin.subarray(0, readSync(descriptor, begin, 0, EXCERPT_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Returns true if a hook may still write the file. The clocks of the file system and of this process can differ. */
function mayBeIncomplete(spoolDir: string, { writtenAt }: FoundFile, now: number): boolean {
  if (now - writtenAt < UNFINISHED_MS) return true;
  const probe = join(spoolDir, CLOCK_PROBE);
  try {
    writeFileSync(probe, '', { mode: 0o600 });
    return statSync(probe).mtimeMs - writtenAt < UNFINISHED_MS;
  } catch {
    // The disk is full or read-only, so a later drain decides.
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
