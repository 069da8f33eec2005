import { existsSync } from 'node:fs';
import { messageOf } from '@claude-mem/core';
import { openStorageReader, type StorageReader } from '@claude-mem/storage';
import { isSilent } from '@claude-mem/worker-protocol/local';
import { CliError } from './cli-error.js';
import type { CommandContext } from './command.js';
import { EXIT, exitCodeOf } from './exit-codes.js';
import { otherVersion } from './other-version.js';

/** The database, read-only, for when the worker is away; null when there is none yet. The caller disposes it. */
export function openOfflineMemory({ loaded }: Pick<CommandContext, 'loaded'>): StorageReader | null {
  const file = loaded.paths.database;
  return existsSync(file) ? openStorageReader({ file }) : null;
}

/**
 * Through the worker, or straight from the database when it is away or not ready, or of another version and cannot be
 * understood.
 */
export async function throughWorkerOr<Value>(
  context: CommandContext,
  ask: () => Promise<Value>,
  offline: () => Promise<Value>,
): Promise<Value> {
  try {
    const answer = await ask();
    if (isWhole(answer)) return answer;
    throw new CliError('cli/failed', 'The response of the worker is invalid. Run: claude-mem restart');
  } catch (error) {
    if (exitCodeOf(error) === EXIT.workerAway) {
      if (isSilent(error)) context.terminal.complain(`Note: read without the worker. ${messageOf(error)}`);
      return offline();
    }
    const reason = await otherVersion(context);
    if (reason === null) throw error;
    context.terminal.complain(`Note: read without the worker: ${reason}`);
    return offline();
  }
}

/** JSON knows no undefined: a part that is undefined did not come. */
function isWhole(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return answer !== undefined;
  return Object.values(answer).every((part) => part !== undefined);
}
