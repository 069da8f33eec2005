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
}: {
  worker: MemoryReader;
  database: MemoryReader;
}): MemoryQuestions {
  return {
    async ask(question) {
      try {
        return { value: await question(worker), without: null };
      } catch (error) {
        const without = whyWithout(error);
        if (without === null) throw error;
        return { value: await question(database), without };
      }
    },
  };
}

/** What a server says to an address that is too long for it. */
const TOO_LONG = new Set([413, 414, 431]);

/** Null: the worker has answered, and would answer the same again. */
function whyWithout(error: unknown): string | null {
  // an answer of another form than this version knows
  if (error instanceof TypeError) return 'the worker is of another version (claude-mem restart)';
  if (!ClaudeMemError.isInstance(error)) return null;
  switch (error.code) {
    case 'worker-client/away':
      return 'the worker is away (claude-mem start)';
    case 'worker-client/not-ready':
      return 'the worker is not ready yet';
    case 'worker-client/bad-reply':
      if (TOO_LONG.has(Number(error.data['status']))) return 'the question is too long for the worker';
      return 'something else answers in place of the worker (claude-mem doctor)';
    case 'worker-client/refused':
      return Number(error.data['status']) >= 500 || error.data['workerCode'] === 'worker/not-found'
        ? 'the worker cannot answer (claude-mem doctor)'
        : null;
    default:
      return null;
  }
}
