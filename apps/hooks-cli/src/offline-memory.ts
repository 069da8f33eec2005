import { existsSync } from 'node:fs';
import { messageOf } from '@claude-mem/core';
import { openStorageReader, type StorageReader } from '@claude-mem/storage';
import { isSilent } from '@claude-mem/worker-protocol/local';
import { CliError } from './cli-error.js';
import type { CommandContext } from './command.js';
import { EXIT, exitCodeOf } from './exit-codes.js';
import { findVersionMismatch } from './find-version-mismatch.js';

/** Opens the database read-only. Returns null when it does not exist. The caller must dispose the result. */
export function openOfflineMemory({ loaded }: Pick<CommandContext, 'loaded'>): StorageReader | null {
  const file = loaded.paths.database;
  return existsSync(file) ? openStorageReader({ file }) : null;
}

/**
 * Reads through the worker. Reads from the database when the worker is not running or not ready, or when it has another version
 * and its response is invalid.
 */
export async function throughWorkerOr<Value>(
  context: CommandContext,
  ask: () => Promise<Value>,
  offline: () => Promise<Value>,
): Promise<Value> {
  try {
    const answer = await ask();
    if (isComplete(answer)) return answer;
    throw new CliError('cli/failed', 'The response of the worker is invalid. Run: claude-mem restart');
  } catch (error) {
    if (exitCodeOf(error) === EXIT.workerNotRunning) {
      if (isSilent(error)) context.terminal.warn(`Note: read without the worker. ${messageOf(error)}`);
      return offline();
    }
    const reason = await findVersionMismatch(context);
    if (reason === null) throw error;
    context.terminal.warn(`Note: read without the worker: ${reason}`);
    return offline();
  }
}

/** An undefined field is missing in the JSON response. */
function isComplete(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return answer !== undefined;
  return Object.values(answer).every((part) => part !== undefined);
}
