import { afterEach, beforeEach, expect } from 'vitest';
import type { PendingMessage } from '../../pending-message.js';
import type { PendingMessages } from '../../ports/pending-messages.js';
import type { OpenedPendingMessages, PendingSeed, SeededEvent } from './opened-pending-messages.js';

/** Opens an empty instance for one test. */
export type OpenPendingMessages = () => Promise<OpenedPendingMessages> | OpenedPendingMessages;

/** An empty instance per test, and short functions for seeding and reading it. */
export interface SuiteContext {
  readonly messages: PendingMessages;
  seed(...events: PendingSeed[]): Promise<readonly SeededEvent[]>;
  confirm(messages: readonly PendingMessage[]): Promise<void>;
  claim(
    sessionId: number,
    limits?: { now?: number; maxCount?: number; maxBytes?: number; maxTurns?: number },
  ): Promise<number[]>;
  claimed(
    sessionId: number,
    limits?: { now?: number; maxCount?: number; maxBytes?: number; maxTurns?: number },
  ): Promise<readonly PendingMessage[]>;
  /** Returns the message with this id, which must exist. */
  read(id: number | undefined): Promise<PendingMessage>;
}

/** A time after all seeded times. */
export const NOW = 1_000_000;

export const prompt = (session: string, at: number): PendingSeed => ({ session, kind: 'prompt', at });
export const toolUse = (session: string, at: number, text?: string): PendingSeed => ({
  session,
  kind: 'tool-use',
  at,
  ...(text === undefined ? {} : { text }),
});
export const evidence = (session: string, at: number): PendingSeed => ({
  ...toolUse(session, at),
  isEvidence: true,
});
export const turnEnd = (session: string, at: number): PendingSeed => ({ session, kind: 'turn-end', at });
export const sessionEnd = (session: string, at: number): PendingSeed => ({
  session,
  kind: 'session-end',
  at,
});

/** Registers hooks that open and close an instance for each test of the current `describe`. */
export function useSuiteContext(open: OpenPendingMessages): SuiteContext {
  let opened: OpenedPendingMessages;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(async () => {
    await opened.close();
  });
  const claimed = (sessionId: number, limits = {}) =>
    opened.messages.claim({ sessionId, now: NOW, maxCount: 20, maxBytes: 1_000_000, ...limits });
  return {
    get messages() {
      return opened.messages;
    },
    seed: (...events) => opened.seed(events),
    confirm: (messages) => opened.confirm(messages),
    claimed,
    claim: async (sessionId, limits) => (await claimed(sessionId, limits)).map(({ id }) => id),
    async read(id) {
      const found = (await opened.messages.list({ limit: 500 })).find((message) => message.id === id);
      expect(found, `message ${id} is listed`).toBeDefined();
      return found as PendingMessage;
    },
  };
}
