import type { TurnEvidence } from './evidence-of.js';

/**
 * Every path that a turn changed, for the files of a record: first the files that exist at the end, then the old names of moved
 * files, then deleted files. A search for any of these names then finds the record.
 */
export function changedFiles({
  filesModified,
  filesDeleted,
  changes,
}: Pick<TurnEvidence, 'filesModified' | 'filesDeleted' | 'changes'>): string[] {
  const oldNames = changes.flatMap(({ from }) => from ?? []);
  return [...new Set([...filesModified, ...oldNames, ...filesDeleted])];
}
