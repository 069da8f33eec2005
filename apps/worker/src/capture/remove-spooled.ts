import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkerLog } from '../log/create-log.js';

const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Removes the file a hook keeps of an event until it is delivered, which spares the hook a process. A hook that no longer
 * waits has renamed it: then the event comes in a second time and is known.
 */
export function removeSpooled(
  { spoolDir, log }: { spoolDir: string; log: WorkerLog },
  { host, event, eventId }: { host: string; event: string; eventId: string },
): void {
  if (![host, event, eventId].every((part) => PLAIN.test(part))) return;
  try {
    unlinkSync(join(spoolDir, `${host}.${event}.${eventId}.tmp`));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    log.warn({ error, eventId }, 'The file of a delivered event cannot be removed');
  }
}
