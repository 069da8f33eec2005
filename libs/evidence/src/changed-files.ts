import type { TurnEvidence } from './collect-evidence.js';

/**
 * Returns every path that a turn changed. Existing files come first, then the old names of moved files, then deleted
 * files. The old names are included so that a search for them finds the record.
 */
export function changedFiles({
  filesModified,
  filesDeleted,
  changes,
}: Pick<TurnEvidence, 'filesModified' | 'filesDeleted' | 'changes'>): string[] {
  const oldNames = changes.flatMap(({ from }) => from ?? []);
  return [...new Set([...filesModified, ...oldNames, ...filesDeleted])];
}
