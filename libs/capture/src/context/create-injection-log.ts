import {
  messageOf,
  type Clock,
  type InjectionKind,
  type RecordedInjection,
  type Store,
  type Logger,
} from '@claude-mem/core';
import type { SessionContext as RenderedContext } from '@claude-mem/context-render';

/** A text for an agent, and the records in it. */
export type InjectedText = Pick<RenderedContext, 'text' | 'tokens' | 'shown'> & {
  /** Number of conversations that have statements in the text but no record. @default 0 */
  conversations?: number;
};

/** Stores which records were injected into a session. */
export interface InjectionLog {
  /**
   * Stores which records were injected. Ignores unknown sessions. A file history is stored at the next `flush`,
   * because the response to a file read must not wait for the database lock.
   */
  add(session: RecordedInjection['session'], kind: InjectionKind, injected: InjectedText): void;
  /** Stores the pending injections. Call it after events were stored. */
  flush(): void;
}

export function createInjectionLog({
  store,
  clock,
  log,
}: {
  store: Pick<Store, 'recordInjection'>;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
}): InjectionLog {
  const waiting: RecordedInjection[] = [];
  const flush = () => {
    for (const injection of waiting.splice(0))
      store
        .recordInjection(injection)
        .catch((error: unknown) => log.warn({ reason: messageOf(error) }, 'An injection was not stored'));
  };
  return {
    add({ host, contentSessionId }, kind, { tokens, shown, conversations = 0 }) {
      const session = { host, contentSessionId };
      waiting.push({ session, kind, tokens, observationIds: shown, conversations, now: clock.now() });
      if (kind !== 'file') flush();
    },
    flush,
  };
}
