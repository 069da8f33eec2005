import { createHash } from 'node:crypto';
import type { HostName, Store } from '@claude-mem/core';
import type { Settings } from '@claude-mem/settings';

interface SessionName {
  host: HostName;
  contentSessionId: string;
}

/** Excludes sessions from injection, to measure its effect. */
export interface Holdout {
  /** Whether nothing is injected into a session. Sessions that began before the holdout was on are never held out. */
  isHeldOut(session: SessionName): Promise<boolean>;
}

/**
 * Decides which sessions get no injections.
 * @param options.store the shares that were set when the sessions began
 */
export function createHoldout({
  store,
  settings,
}: {
  store: Pick<Store, 'holdoutShare'>;
  settings: () => Settings;
}): Holdout {
  return {
    async isHeldOut(session) {
      const { holdout } = settings();
      if (holdout === 0) return false;
      return isInHoldout(session, (await store.holdoutShare(session)) ?? holdout);
    },
  };
}

/** Whether a session belongs to the share of sessions without injections. Depends only on its id, so it never changes. */
export function isInHoldout({ host, contentSessionId }: SessionName, share: number): boolean {
  const hash = createHash('sha256').update(`holdout\0${host}\0${contentSessionId}`).digest();
  return hash.readUInt32BE(0) / 2 ** 32 < share;
}
