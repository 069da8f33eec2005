import { StorageError } from '@claude-mem/storage';
import type { CommandContext } from './command.js';
import type { CheckContext } from './doctor/check.js';
import { openOfflineMemory } from './offline-memory.js';
import { findWriteProblem } from './find-write-problem.js';

/** A reason why the worker cannot store events in the data folder. */
export interface MemoryObstacle {
  message: string;
  fix: string;
}

/** Lists the obstacles that can be found without the worker. A ready worker keeps its last valid settings. */
export function listMemoryObstacles({
  loaded,
  health,
}: Pick<CommandContext, 'loaded'> & Partial<Pick<CheckContext, 'health'>>): readonly MemoryObstacle[] {
  const { paths, problems, isFileUsable } = loaded;
  const folder = [paths.dataDir, paths.spoolDir]
    .map((path) => findWriteProblem(path))
    .find((one) => one?.isBlocking);
  const settings =
    isFileUsable || health?.ready
      ? null
      : { message: problems.join(' '), fix: `Repair ${paths.settingsFile} or move it to another folder.` };
  return [folder, settings, databaseObstacle({ loaded })].filter((one) => one !== null && one !== undefined);
}

/** Returns null for a database that the worker repairs or migrates. */
function databaseObstacle(context: Pick<CommandContext, 'loaded'>): MemoryObstacle | null {
  try {
    void openOfflineMemory(context)?.close();
    return null;
  } catch (error) {
    if (!StorageError.isInstance(error)) throw error;
    const isReplaced = error.code === 'storage/foreign-file' && !error.data?.['isOfOtherProgram'];
    const fix = isReplaced ? undefined : DATABASE_FIXES[error.code];
    return fix === undefined ? null : { message: `${error.message}.`, fix };
  }
}

/** Fixes for database errors that a restart does not resolve, by error code. */
export const DATABASE_FIXES: Readonly<Record<string, string>> = {
  'storage/foreign-file': 'Move its files to another folder, then run: claude-mem start',
  'storage/newer-schema': 'Install the newer claude-mem, whose command is the one to use from then on.',
  'storage/unreadable': 'Correct the rights of the file and its folder.',
};
