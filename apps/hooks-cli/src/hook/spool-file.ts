import { closeSync, existsSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.js';
import { writeHeader, type HookCall } from './hook-event.js';

/** One event on its way to the worker. */
export interface SpoolFile {
  path: string;
  bytes: Buffer;
  /** The worker has it. */
  remove(): void;
  /** Leaves it to the worker. */
  keep(): void;
}

/** Writes an event to a file of its own that the worker does not look at yet; null when that is not possible. */
export function createSpoolFile(spoolDir: string, call: HookCall, payload: Uint8Array): SpoolFile | null {
  const id = `${Date.now()}-${process.pid}-${process.hrtime.bigint()}`;
  const path = join(spoolDir, `${call.host}.${call.event}.${id}.tmp`);
  const bytes = Buffer.concat([Buffer.from(writeHeader(call, id)), payload]);
  try {
    makeFolder(spoolDir);
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, bytes);
    closeSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    if (existsSync(path)) rmSync(path);
    return null;
  }
  return spoolFileAt(path, bytes);
}

/** An event that hook.sh has already written. */
export function spoolFileAt(path: string, bytes: Buffer): SpoolFile {
  return {
    path,
    bytes,
    remove: () => rmSync(path, { force: true }),
    keep() {
      try {
        renameSync(path, path.replace(/\.tmp$/, '.json'));
      } catch (error) {
        // the worker took it, only too late to say so
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    },
  };
}
