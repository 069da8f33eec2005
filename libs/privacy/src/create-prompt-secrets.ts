import { redaction } from './scrub-known-secrets.js';
import type { ScrubbedText } from './scrub-text.js';
import { looksRandom } from './secret-values.js';

export interface PromptSecrets {
  /** The values that were removed from earlier prompts of the session. */
  get(sessionId: string): readonly string[];
  /** Stores the values of `before` that `after`, the scrubbed text, no longer contains. */
  add(sessionId: string, before: string, after: string): void;
}

const MAX_SESSIONS = 200;
const MAX_VALUES = 50;

/**
 * Secrets that a user typed. An agent may repeat such a value without the label that identified it. Held in memory only, for the
 * latest 200 sessions and up to 50 values of each, so a restart clears it.
 */
export function createPromptSecrets(): PromptSecrets {
  const sessions = new Map<string, string[]>();
  return {
    get: (sessionId) => sessions.get(sessionId) ?? [],
    add: (sessionId, before, after) => {
      const found = listRemovedValues(before, after).filter(looksRandom);
      if (found.length === 0) return;
      const values = [...new Set([...found, ...(sessions.get(sessionId) ?? [])])].slice(0, MAX_VALUES);
      sessions.delete(sessionId);
      sessions.set(sessionId, values);
      const [oldest] = sessions.keys();
      if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
    },
  };
}

/** Replaces every occurrence of the values. */
export function removeValues(text: string, values: readonly string[]): ScrubbedText {
  let removed = 0;
  let result = text;
  for (const value of values) {
    const parts = result.split(value);
    removed += parts.length - 1;
    result = parts.join(redaction('secret'));
  }
  return { text: result, removed };
}

/** The text between the parts that both texts have in common. Ends at the first part that is not found. */
function listRemovedValues(before: string, after: string): string[] {
  const [first = '', ...parts] = after.split(/\[redacted:[\w-]+\]/);
  const values: string[] = [];
  let from = before.indexOf(first) + first.length;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const end = part === '' && isLast ? before.length : before.indexOf(part, from);
    if (end === -1) break;
    values.push(before.slice(from, end));
    from = end + part.length;
  }
  return values;
}
