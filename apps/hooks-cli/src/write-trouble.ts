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

/** What keeps new events out of the data directory, or soon will. */
export interface WriteTrouble {
  /** Nothing can be written already. */
  isNow: boolean;
  /** A whole sentence. */
  what: string;
  fix: string;
}

const MIB = 2 ** 20;
/** Room for the log of the database and a backup of a small memory. */
const LITTLE_BYTES = 64 * MIB;
/** More than the event of a hook. */
const TRIAL_BYTES = 64 * 1024;
const MAKE_ROOM = 'Free disk space. A restart is not needed.';

/**
 * Looks whether new events can be written, by writing; null when they can. A folder that is not there yet is tried where it
 * would be made.
 * @param freeBytes instead of asking the system
 */
export function writeTrouble(dataDir: string, freeBytes: number = freeBytesOf(dataDir)): WriteTrouble | null {
  if (!existsSync(dataDir) || !statSync(dataDir).isDirectory()) return creationTrouble(dataDir);
  const failure = tryToWrite(dataDir);
  if (failure === 'ENOSPC' || failure === 'EDQUOT')
    return {
      isNow: true,
      what: `The disk of ${dataDir} is full: new events are lost. Stored records can still be searched.`,
      fix: MAKE_ROOM,
    };
  if (failure !== null)
    return {
      isNow: true,
      what: `Nothing can be written in ${dataDir} (${failure}): new events are lost. Stored records can still be searched.`,
      fix: 'Make the folder writable, or set CLAUDE_MEM_DATA_DIR to another folder.',
    };
  if (freeBytes >= LITTLE_BYTES) return null;
  return {
    isNow: false,
    what: `The disk of ${dataDir} has only ${Math.floor(freeBytes / MIB)} MiB left: new events are lost when it is full.`,
    fix: MAKE_ROOM,
  };
}

function creationTrouble(dataDir: string): WriteTrouble | null {
  const failure = tryToMakeFolder(dataDir);
  if (failure === null) return null;
  return {
    isNow: true,
    what: `${dataDir} cannot be created (${failure}): all events are lost.`,
    fix: `Make ${dataDir} a folder that you own, or set CLAUDE_MEM_DATA_DIR to another folder.`,
  };
}

/** Makes and removes a folder in the nearest one that exists. Returns the system's code for what is in the way. */
function tryToMakeFolder(path: string): string | null {
  let folder = dirname(path);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    // a file, or a link to nowhere
    if (lstatSync(path, { throwIfNoEntry: false })) return 'EEXIST';
    rmdirSync(mkdtempSync(join(folder, '.claude-mem-trial-')));
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

/** Free space is no proof: there are quotas, rights and mounts. Returns the system's code for what is in the way. */
function tryToWrite(folder: string): string | null {
  const file = join(folder, `.write-trial-${process.pid}`);
  try {
    writeFileSync(file, Buffer.alloc(TRIAL_BYTES), { mode: 0o600 });
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  } finally {
    if (existsSync(file)) rmSync(file, { force: true });
  }
}

/** Infinity where the system does not say. */
function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize, blocks } = statfsSync(folder);
    return blocks === 0 ? Infinity : bavail * bsize;
  } catch {
    return Infinity;
  }
}
