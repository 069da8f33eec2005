import type { Clock, Logger } from '@claude-mem/core';
import type { GateOptions } from './gate.js';

const PERIOD_MS = 60_000;

/**
 * Logs refused requests: one line per error code and minute, since every user of the machine can send such requests. The next line
 * of the same code has the number of requests that were not logged.
 */
export function createRefusalLog({
  log,
  clock,
}: {
  log: Pick<Logger, 'warn'>;
  clock: Clock;
}): NonNullable<GateOptions['onRefused']> {
  const last = new Map<string, { at: number; skipped: number }>();
  return (details) => {
    const now = clock.now();
    const before = last.get(details.code);
    if (before !== undefined && now >= before.at && now < before.at + PERIOD_MS) {
      before.skipped += 1;
      return;
    }
    const skipped = before?.skipped ?? 0;
    last.set(details.code, { at: now, skipped: 0 });
    log.warn({ ...details, ...(skipped > 0 && { notLogged: skipped }) }, 'Request turned away at the gate');
  };
}
