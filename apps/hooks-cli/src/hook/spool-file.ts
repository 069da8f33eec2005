import { closeSync, existsSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '../create-folder.js';
import { writeHeader, type HookCall } from './hook-event.js';

/** The file of one event that the hook is processing. */
export interface SpoolFile {
  path: string;
  bytes: Buffer;
  /** Deletes the file after the worker has stored the event. */
  remove(): void;
  /** Renames the file so that the worker collects it. */
  publish(): void;
}

/** Writes an event to a file that the worker ignores until it is published. Returns null when writing fails. */
export function createSpoolFile(spoolDir: string, call: HookCall, payload: Uint8Array): SpoolFile | null {
  const id = `${Date.now()}-${process.pid}-${process.hrtime.bigint()}`;
  const path = join(spoolDir, `${call.host}.${call.event}.${id}.tmp`);
  const bytes = Buffer.concat([Buffer.from(writeHeader(call, id)), payload]);
  try {
    createFolder(spoolDir);
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

/** Returns the spool file that hook.sh has already written. */
export function spoolFileAt(path: string, bytes: Buffer): SpoolFile {
  return {
    path,
    bytes,
    remove: () => rmSync(path, { force: true }),
    publish() {
      try {
        renameSync(path, path.replace(/\.tmp$/, '.json'));
      } catch (error) {
        // the worker stored the event but its response came too late
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    },
  };
}
