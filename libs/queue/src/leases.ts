import type { Clock, Logger, PendingMessages } from '@claude-mem/core';

/** Renews the claims of all held batches and releases expired claims. */
export interface Leases {
  readonly size: number;
  hold(ids: readonly number[]): void;
  release(ids: readonly number[]): void;
  /** Releases expired claims and returns their number. The first call releases all claims of an earlier process. */
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
        logger.warn(
          { error, batches: held.size },
          'Cannot renew the leases of running batches. The next renewal is in a third of the lease time.',
        );
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
    release(ids) {
      held.delete(ids);
    },
    async recover() {
      // After the computer slept, the leases of this process have also expired. Renewing them first prevents their
      // recovery.
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
