import { createHash } from 'node:crypto';
import type { HostName, Store } from '@claude-mem/core';
import type { Settings } from '@claude-mem/settings';

interface SessionName {
  host: HostName;
  contentSessionId: string;
}

/** Excludes sessions from injection, to measure its effect. */
export interface Holdout {
  /**
   * Returns true if nothing is injected into the session. A session that began before the holdout was enabled gets
   * injections.
   */
  isHeldOut(session: SessionName): Promise<boolean>;
}

/**
 * Creates the holdout, which decides which sessions get no injections.
 * @param options.store contains the share that was set when each session began
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

/**
 * Returns true if the session belongs to the share without injections. The result depends only on the session id, so
 * it never changes.
 */
export function isInHoldout({ host, contentSessionId }: SessionName, share: number): boolean {
  const hash = createHash('sha256').update(`holdout\0${host}\0${contentSessionId}`).digest();
  return hash.readUInt32BE(0) / 2 ** 32 < share;
}
