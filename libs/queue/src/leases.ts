import type { Clock, Logger, PendingMessages } from '@claude-mem/core';

/** Keeps the claims of all held batches alive, and takes back those that nobody holds. */
export interface Leases {
  readonly size: number;
  hold(ids: readonly number[]): void;
  letGo(ids: readonly number[]): void;
  /** Gives back what a dead owner had claimed. */
  recover(): Promise<number>;
}

export function createLeases({
  messages,
  clock,
  logger,
  leaseMs,
  maxRecoveries,
}: {
  messages: PendingMessages;
  clock: Clock;
  logger: Logger;
  leaseMs: number;
  maxRecoveries: number;
}): Leases {
  const held = new Set<readonly number[]>();
  let isRenewing = false;
  let hasRecovered = false;

  const renewAll = async () => {
    const ids = [...held].flat();
    if (ids.length > 0) await messages.renew({ ids, now: clock.now() });
  };

  const renewWhileHeld = async () => {
    while (held.size > 0) {
      await clock.sleep(leaseMs / 3);
      try {
        await renewAll();
      } catch (error) {
        logger.warn({ error, batches: held.size }, 'The leases of running batches could not be renewed.');
      }
    }
    isRenewing = false;
  };

  return {
    get size() {
      return held.size;
    },
    hold(ids) {
      held.add(ids);
      if (isRenewing) return;
      isRenewing = true;
      void renewWhileHeld();
    },
    letGo(ids) {
      held.delete(ids);
    },
    async recover() {
      // After the machine slept, our own leases have run out as well: renewing first keeps them ours.
      await renewAll();
      const now = clock.now();
      const isFirst = !hasRecovered && held.size === 0;
      const claimedBefore = isFirst ? Number.MAX_SAFE_INTEGER : now - leaseMs;
      const found = await messages.recoverClaims({ claimedBefore, now, parkAfter: maxRecoveries });
      hasRecovered = true;
      return found;
    },
  };
}
