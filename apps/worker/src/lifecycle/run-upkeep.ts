import { pause, type Clock, type Logger } from '@claude-mem/core';
import type { Storage } from '@claude-mem/storage';
import type { Spool } from '@claude-mem/capture';
import type { DayFile } from '../log/create-day-file.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const QUIET_MS = MINUTE;
const KEPT_LOG_DAYS = 14;
const KEPT_REJECTED_DAYS = 14;

/**
 * Runs periodic tasks: closes idle sessions, deletes old logs and rejected events, and maintains the database when
 * idle.
 */
export async function runUpkeep({
  storage,
  spool,
  dayFile,
  lastEventAt,
  clock,
  log,
  signal,
}: {
  storage: Storage;
  spool: Pick<Spool, 'prune'>;
  dayFile: DayFile;
  /** Time of the last event. */
  lastEventAt(): number;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}): Promise<void> {
  let maintainedAt = 0;
  let lookedAtSessions = 0;
  const attempt = async (what: string, work: () => Promise<void> | void) => {
    try {
      await work();
    } catch (error) {
      log.error({ error }, `${what} failed`);
    }
  };

  while (!signal.aborted) {
    await pause(clock, MINUTE, signal);
    if (signal.aborted) return;
    const now = clock.now();
    if (now - lookedAtSessions >= HOUR) {
      lookedAtSessions = now;
      await attempt('Closing idle sessions', async () => {
        const count = await storage.store.interruptIdleSessions({ inactiveSince: now - DAY });
        if (count > 0) log.info({ count }, 'Idle sessions closed');
      });
      await attempt('Deleting old logs', () => void dayFile.prune(KEPT_LOG_DAYS));
      await attempt('Deleting old rejected events', () => spool.prune(KEPT_REJECTED_DAYS));
    }
    if (now - lastEventAt() < QUIET_MS) continue;
    await attempt('Overwriting what was forgotten', async () => void (await storage.store.eraseForgotten()));
    if (now - maintainedAt >= HOUR) {
      maintainedAt = now;
      await attempt('Maintenance', () => storage.maintain());
    }
  }
}
