import { ClaudeMemError } from '@claude-mem/core';
import type { MemoryReader } from './memory-reader.js';

/** An answer, and why it did not come from the worker; null: it did. */
export interface Answer<Value> {
  value: Value;
  without: string | null;
}

/** Asks the worker, and the database where there is no worker that answers. */
export interface MemoryQuestions {
  ask<Value>(question: (reader: MemoryReader) => Promise<Value>): Promise<Answer<Value>>;
}

/** Reads from the worker while it answers as this version expects, else from the database. */
export function createMemoryQuestions({
  worker,
  database,
  isOtherVersion,
}: {
  worker: MemoryReader;
  database: MemoryReader;
  /** Whether the worker is of another version than this server, so that it may not know a question. */
  isOtherVersion(): Promise<boolean>;
}): MemoryQuestions {
  return {
    async ask(question) {
      try {
        return { value: await question(worker), without: null };
      } catch (error) {
        const without = whyWithout(error) ?? ((await isOtherVersion()) ? OTHER_VERSION : null);
        if (without === null) throw error;
        return { value: await question(database), without };
      }
    },
  };
}

const OTHER_VERSION = 'the worker has another version (claude-mem restart)';
/** What a server says to an address that is too long for it. */
const TOO_LONG = new Set([413, 414, 431]);

/** Null: the worker has answered, and the question may be at fault. */
function whyWithout(error: unknown): string | null {
  // an answer of another form than this version knows
  if (error instanceof TypeError) return OTHER_VERSION;
  if (!ClaudeMemError.isInstance(error)) return null;
  switch (error.code) {
    case 'worker-client/away':
      return 'the worker is not running (claude-mem start)';
    case 'worker-client/not-ready':
      return 'the worker is not ready yet';
    case 'worker-client/bad-reply':
      if (TOO_LONG.has(Number(error.data['status']))) return 'the request is too long for the worker';
      return 'another program answers on the address of the worker (claude-mem doctor)';
    case 'worker-client/refused':
      return Number(error.data['status']) >= 500 ? 'the worker failed to answer (claude-mem doctor)' : null;
    default:
      return null;
  }
}
