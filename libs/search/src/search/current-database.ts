import { statSync } from 'node:fs';
import { messageOf } from '@claude-mem/core';
import { StorageError } from '@claude-mem/storage';
import { SearchError } from '../search-error.js';

/** The resources of one database file, until another file replaces it. */
export interface CurrentDatabase<Parts> {
  /**
   * Runs a function with the resources. Opens them first, and again when the file was replaced or the resources are
   * outdated.
   * @throws SearchError `search/no-memory` when the file is missing or unreadable, `search/closed`; a `StorageError`
   * when it is damaged or locked
   */
  use<Value>(work: (parts: Parts) => Promise<Value>): Promise<Value>;
  /** Waits for running functions. */
  close(): Promise<void>;
}

interface Opened<Parts> {
  parts: Parts;
  identity: string;
  users: number;
  isRetired: boolean;
  isOutdated(): boolean;
  close(): Promise<void>;
}

export function createCurrentDatabase<Parts>(
  file: string,
  open: () => { parts: Parts; isOutdated(): boolean; close(): Promise<void> },
): CurrentDatabase<Parts> {
  let current: Opened<Parts> | null = null;
  let closing: Promise<void> | null = null;
  const inUse = new Set<Opened<Parts>>();
  let resolveAllClosed = () => {};

  const closeUnused = async (opened: Opened<Parts>): Promise<void> => {
    if (!opened.isRetired || opened.users > 0) return;
    try {
      await opened.close();
    } finally {
      inUse.delete(opened);
      if (inUse.size === 0) resolveAllClosed();
    }
  };

  const retire = (opened: Opened<Parts>): void => {
    opened.isRetired = true;
    if (current === opened) current = null;
  };

  /** Open resources with a reference count. */
  const hold = async (): Promise<Opened<Parts>> => {
    if (closing) throw closed(file);
    const identity = identityOf(file);
    const old = current;
    if (old && (old.identity !== identity || old.isOutdated())) {
      retire(old);
      await closeUnused(old);
      if (closing) throw closed(file);
    }
    if (identity === null) throw noMemory(file);
    try {
      current ??= { ...open(), identity, users: 0, isRetired: false };
    } catch (error) {
      throw isThereButDamaged(error) ? error : noMemory(file, error);
    }
    inUse.add(current);
    current.users += 1;
    return current;
  };

  const attempt = async <Value>(
    opened: Opened<Parts>,
    work: (parts: Parts) => Promise<Value>,
  ): Promise<Value> => {
    try {
      return await work(opened.parts);
    } catch (error) {
      // A file that is replaced or damaged during a search causes many kinds of errors. The next attempt finds the
      // cause.
      const isDamaged = StorageError.isInstance(error) && error.code === 'storage/corrupt';
      if (isDamaged || identityOf(file) !== opened.identity) retire(opened);
      throw error;
    } finally {
      opened.users -= 1;
      await closeUnused(opened);
    }
  };

  return {
    use: async (work) => {
      const opened = await hold();
      try {
        return await attempt(opened, work);
      } catch (error) {
        if (current === opened || closing) throw error;
        return attempt(await hold(), work);
      }
    },
    close: () => {
      closing ??= (async () => {
        const last = current;
        if (last) {
          retire(last);
          await closeUnused(last);
        }
        if (inUse.size > 0) await new Promise<void>((resolve) => (resolveAllClosed = resolve));
      })();
      return closing;
    },
  };
}

/** The storage package reports the damage and its repair. */
function isThereButDamaged(error: unknown): boolean {
  return StorageError.isInstance(error) && /^storage\/(corrupt|schema-mismatch|busy)$/.test(error.code);
}

/**
 * Another file at the same path has another identity. Null when there is no file.
 * @throws SearchError `search/no-memory` when the identity cannot be read
 */
function identityOf(file: string): string | null {
  try {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
    return stat ? `${stat.dev}:${stat.ino}` : null;
  } catch (error) {
    throw noMemory(file, error);
  }
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
