import { renameSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '@claude-mem/core';

interface SpoolOptions {
  spoolDir: string;
  log: Pick<Logger, 'warn'>;
}

interface SpooledEvent {
  host: string;
  event: string;
  eventId: string;
}

const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Removes the file that a hook writes before it posts an event. The worker removes it to save a process in the hook.
 * After a timeout, the hook has already renamed the file, and the event arrives twice; its deduplication key is then
 * known.
 */
export function removeSpooled(options: SpoolOptions, event: SpooledEvent): void {
  change(options, event, unlinkSync);
}

/** Renames the file of an answered event so that the spool finds it, like a hook after a timeout. */
export function publishSpooled(options: SpoolOptions, event: SpooledEvent): void {
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
