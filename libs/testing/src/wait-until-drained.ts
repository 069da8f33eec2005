import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { waitFor } from './poll.js';
import { readHealth, type WorkerHealth } from './start-worker.js';

/** Lists the events in the spool that the worker has not stored yet. */
export function spooledFiles(home: { dataDir: string }): readonly string[] {
  const folder = path.join(home.dataDir, 'spool');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => /\.(json|event)$/.test(name));
}

/**
 * Waits until the worker is ready, the spool is empty, and no message is pending or being processed. Ignores parked
 * messages, because they wait for the user.
 */
export function waitUntilDrained(
  home: { dataDir: string },
  options: { deadlineMs?: number } = {},
): Promise<WorkerHealth> {
  return waitFor(
    async () => {
      if (spooledFiles(home).length > 0) return null;
      const health = await readHealth(home);
      const { pending, processing } = health.queue;
      return health.ready && pending + processing === 0 && spooledFiles(home).length === 0 ? health : null;
    },
    { what: 'the queue to be empty', ...options },
  );
}
