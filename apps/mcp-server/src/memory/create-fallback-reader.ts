import { ClaudeMemError } from '@claude-mem/core';
import type { MemoryReader } from './memory-reader.js';

/** A value, and why it was read from the database. The reason is null for a value from the worker. */
export interface ReadResult<Value> {
  value: Value;
  fallbackReason: string | null;
}

export interface FallbackReader {
  read<Value>(operation: (reader: MemoryReader) => Promise<Value>): Promise<ReadResult<Value>>;
}

/** Creates a reader that uses the worker, and the database when the worker does not give a valid answer. */
export function createFallbackReader({
  worker,
  database,
  isOtherVersion,
}: {
  worker: MemoryReader;
  database: MemoryReader;
  /** Whether the worker has another version than this server, and may not support a request. */
  isOtherVersion(): Promise<boolean>;
}): FallbackReader {
  return {
    async read(operation) {
      try {
        return { value: await operation(worker), fallbackReason: null };
      } catch (error) {
        const fallbackReason = findFallbackReason(error) ?? ((await isOtherVersion()) ? OTHER_VERSION : null);
        if (fallbackReason === null) throw error;
        return { value: await operation(database), fallbackReason };
      }
    },
  };
}

const OTHER_VERSION = 'the worker has another version (claude-mem restart)';
/** HTTP status codes for a URL or headers that are too long. */
const TOO_LONG_STATUSES = new Set([413, 414, 431]);

/** Returns null when the worker answered and the request may be invalid. */
function findFallbackReason(error: unknown): string | null {
  // reading a response of another version can fail
  if (error instanceof TypeError) return OTHER_VERSION;
  if (!ClaudeMemError.isInstance(error)) return null;
  switch (error.code) {
    case 'worker-client/away':
      return 'the worker is not running (claude-mem start)';
    case 'worker-client/not-ready':
      return 'the worker is not ready yet';
    case 'worker-client/bad-reply':
      if (TOO_LONG_STATUSES.has(Number(error.data['status'])))
        return 'the request is too long for the worker';
      return 'another program answers on the address of the worker (claude-mem doctor)';
    case 'worker-client/refused':
      return Number(error.data['status']) >= 500 ? 'the worker failed to answer (claude-mem doctor)' : null;
    default:
      return null;
  }
}
