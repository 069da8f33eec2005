import { statSync } from 'node:fs';
import { messageOf } from '@claude-mem/core';
import { StorageError } from '@claude-mem/storage';
import { SearchError } from '../search-error.js';

/** What is open over one database file, until another file takes its place. */
export interface CurrentDatabase<Parts> {
  /**
   * Runs with what is open; opens it first, and again when the file was replaced.
   * @throws SearchError `search/no-memory` where there is no file or it cannot be read, `search/closed`
   */
  use<Value>(work: (parts: Parts) => Promise<Value>): Promise<Value>;
  /** Waits for what is running. */
  close(): Promise<void>;
}

interface Opened<Parts> {
  parts: Parts;
  identity: string;
  users: number;
  isRetired: boolean;
  close(): Promise<void>;
}

export function createCurrentDatabase<Parts>(
  file: string,
  open: () => { parts: Parts; close(): Promise<void> },
): CurrentDatabase<Parts> {
  let current: Opened<Parts> | null = null;
  let closing: Promise<void> | null = null;
  const waiting = new Set<() => void>();

  const release = async (opened: Opened<Parts>): Promise<void> => {
    if (!opened.isRetired || opened.users > 0) return;
    await opened.close();
    for (const tell of waiting) tell();
  };

  const retire = async (opened: Opened<Parts>): Promise<void> => {
    if (opened.isRetired) return;
    opened.isRetired = true;
    if (current === opened) current = null;
    await release(opened);
  };

  const openCurrent = async (): Promise<Opened<Parts>> => {
    const identity = identityOf(file);
    if (current && current.identity !== identity) await retire(current);
    if (closing) throw closed(file);
    if (identity === null) throw noMemory(file);
    try {
      current ??= { ...open(), identity, users: 0, isRetired: false };
    } catch (error) {
      throw noMemory(file, error);
    }
    return current;
  };

  const attempt = async <Value>(work: (parts: Parts) => Promise<Value>): Promise<Value> => {
    const opened = await openCurrent();
    opened.users += 1;
    try {
      return await work(opened.parts);
    } catch (error) {
      // A file that is replaced or damaged under a running search fails in many ways; the next attempt sees which.
      const isAnother = identityOf(file) !== opened.identity;
      if (isAnother || (StorageError.isInstance(error) && error.code === 'storage/corrupt')) {
        opened.isRetired = true;
        if (current === opened) current = null;
      }
      throw error;
    } finally {
      opened.users -= 1;
      await release(opened);
    }
  };

  return {
    use: async (work) => {
      if (closing) throw closed(file);
      let tried: Opened<Parts> | null = null;
      try {
        return await attempt((parts) => {
          tried = current;
          return work(parts);
        });
      } catch (error) {
        const wasReplaced = tried !== null && current !== tried;
        if (!wasReplaced || closing) throw error;
        return attempt(work);
      }
    },
    close: () => {
      closing ??= (async () => {
        const opened = current;
        if (!opened) return;
        const isReleased = new Promise<void>((resolve) => waiting.add(resolve));
        await retire(opened);
        await isReleased;
      })();
      return closing;
    },
  };
}

/** Another file at the same path has another identity; null when there is none. */
function identityOf(file: string): string | null {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.dev}:${stat.ino}` : null;
}

function noMemory(file: string, cause?: unknown): SearchError {
  const reason =
    cause === undefined
      ? `nothing is stored at ${file} yet; it appears with the first session that claude-mem watches`
      : `the memory at ${file} cannot be read: ${messageOf(cause)}`;
  return new SearchError('search/no-memory', reason, {
    ...(cause !== undefined && { cause }),
    data: { file },
  });
}

function closed(file: string): SearchError {
  return new SearchError('search/closed', 'this memory was closed', { data: { file } });
}
