import { existsSync } from 'node:fs';
import { openStorageReader, type StorageReader } from '@claude-mem/storage';
import type { CommandContext } from './command.js';
import { EXIT, exitCodeOf } from './exit-codes.js';

/** The database, read-only, for when the worker is away; null when there is none yet. The caller disposes it. */
export function openOfflineMemory({ loaded }: Pick<CommandContext, 'loaded'>): StorageReader | null {
  const file = loaded.paths.database;
  return existsSync(file) ? openStorageReader({ file }) : null;
}

/** Through the worker, or, when it is away or not ready, straight from the database. */
export async function throughWorkerOr<Value>(
  ask: () => Promise<Value>,
  offline: () => Promise<Value>,
): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    if (exitCodeOf(error) !== EXIT.workerAway) throw error;
    return offline();
  }
}
