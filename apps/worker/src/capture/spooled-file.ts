import { renameSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkerLog } from '../log/create-log.js';

interface SpoolOptions {
  spoolDir: string;
  log: WorkerLog;
}

interface SpooledEvent {
  host: string;
  event: string;
  eventId: string;
}

const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Removes the file a hook keeps of an event until it is delivered, which spares the hook a process. A hook that no longer
 * waits has renamed it: then the event comes in a second time and is known.
 */
export function removeSpooled(options: SpoolOptions, event: SpooledEvent): void {
  change(options, event, unlinkSync);
}

/** Makes the file of an answered event visible to the spool, as a hook does that no longer waits. */
export function keepSpooled(options: SpoolOptions, event: SpooledEvent): void {
  change(options, event, (file) => renameSync(file, file.replace(/\.tmp$/, '.json')));
}

function change(
  { spoolDir, log }: SpoolOptions,
  { host, event, eventId }: SpooledEvent,
  run: (file: string) => void,
): void {
  if (![host, event, eventId].every((part) => PLAIN.test(part))) return;
  try {
    run(join(spoolDir, `${host}.${event}.${eventId}.tmp`));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    log.warn({ error, eventId }, 'The file of an answered event cannot be changed');
  }
}
