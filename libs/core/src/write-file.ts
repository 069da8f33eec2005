import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** How a file is replaced. */
export interface WriteFileOptions {
  /** Permissions of the file when it is new; an existing one keeps its own and its owner unless `forceMode` is set. @default 0o600 */
  mode?: number;
  /** Gives an existing file `mode` too. @default false */
  forceMode?: boolean;
  /** Replaces a link itself, for files that only this program writes. @default false: replaces the target of the link */
  replaceLink?: boolean;
  /** Asked right before the old content is replaced; `false` leaves it. @default always */
  onlyIf?: () => boolean;
}

/**
 * Replaces a file so that a crash at any moment leaves the old or the new content, never a part: temporary file beside it,
 * fsync, rename. A symlink stays a symlink, its target is replaced. Missing folders are made (0700).
 * Synchronous, so that read, change and write of one caller cannot interleave with another in the same process.
 * @returns false when `onlyIf` said no and nothing was changed
 */
export function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  options: WriteFileOptions = {},
): boolean {
  const target = options.replaceLink ? resolve(path) : followLinks(path);
  const folder = dirname(target);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  clearAbandonedWrites(target);
  const found = options.forceMode ? undefined : lstatSync(target, { throwIfNoEntry: false });
  const existing = found?.isSymbolicLink() ? undefined : found;
  const mode = existing ? existing.mode & 0o7777 : (options.mode ?? 0o600);
  const temporary = join(folder, `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    writeDurably(temporary, typeof content === 'string' ? Buffer.from(content, 'utf8') : content, mode);
    if (existing) keepOwner(temporary, existing, mode);
    if (options.onlyIf?.() === false) {
      rmSync(temporary, { force: true });
      return false;
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(folder);
  return true;
}

/** Where a path really points, also when the last file does not exist yet. */
function followLinks(path: string): string {
  let current = resolve(path);
  for (let hops = 0; hops < 40; hops += 1) {
    try {
      return realpathSync(current);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    const link = readLink(current);
    if (link === null) return current;
    current = resolve(dirname(current), link);
  }
  return current;
}

function readLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EINVAL' || code === 'ENOENT') return null;
    throw error;
  }
}

function writeDurably(path: string, bytes: Uint8Array, mode: number): void {
  const file = openSync(path, 'wx', mode);
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  chmodSync(path, mode); // the umask may have taken bits away that the old file had
}

/** What root replaces stays its owner's, who could not read it otherwise. Who is not root may lack the right to give it away. */
function keepOwner(path: string, { uid, gid }: { uid: number; gid: number }, mode: number): void {
  const fresh = statSync(path);
  if (fresh.uid === uid && fresh.gid === gid) return;
  try {
    chownSync(path, uid, gid);
    chmodSync(path, mode); // a new owner takes bits away
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

/** Some file systems cannot sync a folder; the rename itself is done by then. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!['EINVAL', 'EPERM', 'EISDIR', 'EACCES', 'ENOTSUP', 'EBADF'].includes(code ?? '')) throw error;
  }
}

const ABANDONED_AFTER_MS = 60_000;
const TEMPORARY = /^[0-9a-f]{12}\.tmp$/;

/**
 * Removes what a writer that was killed left beside a file; a later write does so too.
 * @returns whether there is one that somebody may still be writing
 */
export function clearAbandonedWrites(path: string, afterMs = ABANDONED_AFTER_MS): boolean {
  const [folder, before] = [dirname(path), `.${basename(path)}.`];
  let isYoung = false;
  try {
    for (const entry of readdirSync(folder)) {
      if (!entry.startsWith(before) || !TEMPORARY.test(entry.slice(before.length))) continue;
      const found = lstatSync(join(folder, entry), { throwIfNoEntry: false });
      if (!found?.isFile()) continue;
      // one of the future is from before the clock was set back
      if (Math.abs(Date.now() - found.mtimeMs) > afterMs) rmSync(join(folder, entry), { force: true });
      else isYoung = true;
    }
  } catch (error) {
    // where the folder cannot be read or changed it stays
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
  return isYoung;
}
