import { StorageError } from '@claude-mem/storage';
import type { CommandContext } from './command.js';
import type { Examination } from './doctor/check.js';
import { openOfflineMemory } from './offline-memory.js';
import { writeTrouble } from './write-trouble.js';

/** What keeps the worker from storing events in the data folder, and what to do. */
export interface MemoryObstacle {
  what: string;
  fix: string;
}

/** All obstacles that can be found without the worker. A ready worker keeps its last valid settings. */
export function listMemoryObstacles({
  loaded,
  health,
}: Pick<CommandContext, 'loaded'> & Partial<Pick<Examination, 'health'>>): readonly MemoryObstacle[] {
  const { paths, problems, isFileUsable } = loaded;
  const folder = [paths.dataDir, paths.spoolDir].map((path) => writeTrouble(path)).find((one) => one?.isNow);
  const settings =
    isFileUsable || health?.ready
      ? null
      : { what: problems.join(' '), fix: `Repair ${paths.settingsFile} or move it to another folder.` };
  return [folder, settings, databaseObstacle({ loaded })].filter((one) => one !== null && one !== undefined);
}

/** A database that the worker refuses. It repairs a damaged one and brings an older one up to date. */
function databaseObstacle(context: Pick<CommandContext, 'loaded'>): MemoryObstacle | null {
  try {
    void openOfflineMemory(context)?.close();
    return null;
  } catch (error) {
    if (!StorageError.isInstance(error)) throw error;
    const isReplaced = error.code === 'storage/foreign-file' && !error.data?.['isOfOtherProgram'];
    const fix = isReplaced ? undefined : DATABASE_FIXES[error.code];
    return fix === undefined ? null : { what: `${error.message}.`, fix };
  }
}

/** What to do about a database with which a restart does not help. */
export const DATABASE_FIXES: Readonly<Record<string, string>> = {
  'storage/foreign-file': 'Move its files to another folder, then run: claude-mem start',
  'storage/newer-schema': 'Install the newer claude-mem, whose command is the one to use from then on.',
  'storage/unreadable': 'Correct the rights of the file and its folder.',
};
