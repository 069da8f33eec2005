import type { HostEvent } from '@claude-mem/core';
import { asksForSecret } from './asks-for-secret.js';
import { scrubEvent } from './scrub-event.js';

export interface SessionSecrets {
  /** Scrubs an event and removes the secrets of earlier events of its session, with or without a label. */
  scrub<E extends HostEvent>(event: E): E;
}

interface Session {
  /** Removed values, newest first. */
  values: readonly string[];
  /** True when the last message of the agent asks for a secret. */
  isAsked: boolean;
}

const MAX_SESSIONS = 200;
const MAX_VALUES = 100;
const NEW: Session = { values: [], isAsked: false };

/**
 * Creates a scrubber for the events of sessions.
 * An agent can repeat a secret without its label, and a user can answer with only the secret. Removed values are
 * therefore stored in memory, for the 200 sessions with the latest events and up to 100 values each. A restart clears
 * them.
 */
export function createSessionSecrets(): SessionSecrets {
  const sessions = new Map<string, Session>();
  return {
    scrub(raw) {
      const id = `${raw.host} ${raw.contentSessionId}`;
      const session = sessions.get(id) ?? NEW;
      const secrets: string[] = [];
      const { event } = scrubEvent(raw, {
        known: session.values,
        isAnswer: session.isAsked,
        onSecret: (value) => secrets.push(value),
      });
      const isAsked =
        event.kind === 'turn-end'
          ? asksForSecret(event.lastAssistantMessage ?? '')
          : session.isAsked && event.kind !== 'prompt';
      if (secrets.length === 0 && isAsked === session.isAsked && session === NEW) return event;
      const values = [...new Set([...secrets, ...session.values])].slice(0, MAX_VALUES);
      sessions.delete(id);
      sessions.set(id, { values, isAsked });
      const [oldest] = sessions.keys();
      if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
      return event;
    },
  };
}
