import {
  existsSync,
  lstatSync,
  mkdtempSync,
  rmdirSync,
  rmSync,
  statSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** A reason why events cannot be written to the data directory now or soon. */
export interface WriteProblem {
  /** True when events are lost now. */
  isBlocking: boolean;
  /** A complete sentence. */
  message: string;
  fix: string;
}

const MIB = 2 ** 20;
/** Enough for the log of the database and a backup of a small memory. */
const MIN_FREE_BYTES = 64 * MIB;
/** More than a typical event. */
const PROBE_BYTES = 64 * 1024;
const FREE_SPACE_FIX = 'Free disk space. A restart is not needed.';

/**
 * Tests whether events can be written by writing a file. For a missing folder, tests whether it can be created. Returns null when
 * there is no problem.
 * @param freeBytes free space of the disk. @default the value that the system reports
 */
export function findWriteProblem(
  dataDir: string,
  freeBytes: number = freeBytesOf(dataDir),
): WriteProblem | null {
  if (!existsSync(dataDir) || !statSync(dataDir).isDirectory()) return findCreationProblem(dataDir);
  const failure = tryToWrite(dataDir);
  if (failure === 'ENOSPC' || failure === 'EDQUOT')
    return {
      isBlocking: true,
      message: `The disk of ${dataDir} is full: new events are lost. Stored records can still be searched.`,
      fix: FREE_SPACE_FIX,
    };
  if (failure !== null)
    return {
      isBlocking: true,
      message: `Nothing can be written in ${dataDir} (${failure}): new events are lost. Stored records can still be searched.`,
      fix: 'Make the folder writable, or set CLAUDE_MEM_DATA_DIR to another folder.',
    };
  if (freeBytes >= MIN_FREE_BYTES) return null;
  return {
    isBlocking: false,
    message: `The disk of ${dataDir} has only ${Math.floor(freeBytes / MIB)} MiB left: new events are lost when it is full.`,
    fix: FREE_SPACE_FIX,
  };
}

function findCreationProblem(dataDir: string): WriteProblem | null {
  const failure = tryToCreateFolder(dataDir);
  if (failure === null) return null;
  return {
    isBlocking: true,
    message: `${dataDir} cannot be created (${failure}): all events are lost.`,
    fix: `Make ${dataDir} a folder that you own, or set CLAUDE_MEM_DATA_DIR to another folder.`,
  };
}

/** Creates and removes a folder in the nearest existing parent. Returns the error code of the system, or null. */
function tryToCreateFolder(path: string): string | null {
  let folder = dirname(path);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    // a file or a broken link
    if (lstatSync(path, { throwIfNoEntry: false })) return 'EEXIST';
    rmdirSync(mkdtempSync(join(folder, '.claude-mem-trial-')));
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

/** Free space is not sufficient because of quotas, permissions and mounts. Returns the error code of the system, or null. */
function tryToWrite(folder: string): string | null {
  const file = join(folder, `.write-trial-${process.pid}`);
  try {
    writeFileSync(file, Buffer.alloc(PROBE_BYTES), { mode: 0o600 });
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  } finally {
    if (existsSync(file)) rmSync(file, { force: true });
  }
}

/** Returns Infinity when the system does not report the free space. */
function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize, blocks } = statfsSync(folder);
    return blocks === 0 ? Infinity : bavail * bsize;
  } catch {
    return Infinity;
  }
}
