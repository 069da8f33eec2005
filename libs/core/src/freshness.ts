/**
 * The state of a file, or of the files of a record, compared with the time when the record was stored. `fresh`: the content is the same.
 * `unknown`: nothing is proven.
 */
export const FRESHNESS_VERDICTS = ['fresh', 'changed', 'moved', 'gone', 'unknown'] as const;
export type FreshnessVerdict = (typeof FRESHNESS_VERDICTS)[number];

/** A file that changed after the record was stored. */
export interface StaleFile {
  path: string;
  verdict: 'changed' | 'moved' | 'gone';
  /** Number of commits that changed the file. Null when it is unknown. */
  commits: number | null;
  /** Null unless the file was moved. */
  movedTo: string | null;
}

/**
 * `merged`: the branch is part of what is checked out. `open`: it is not. `abandoned`: it was deleted, and the commit of the record is
 * not part of what is checked out.
 */
export const BRANCH_STATES = ['merged', 'open', 'abandoned'] as const;
export type BranchState = (typeof BRANCH_STATES)[number];

/** Whether a record still matches the files of its project, computed for one checkout and its current commit. */
export interface Freshness {
  verdict: FreshnessVerdict;
  /** Number of files of the record: the files it changed, or the files it read when it changed none. */
  fileCount: number;
  /** Number of these files that were changed, moved or deleted. */
  staleCount: number;
  /** The first 20 of those files. */
  files: readonly StaleFile[];
  /**
   * The branch on which the record was stored. Null when its state is unknown, or when the files prove that the work
   * is part of the checkout.
   */
  branch: { name: string; state: BranchState } | null;
}

/**
 * Formats what is known of the files and the branch of a record, such as `file changed since (3 commits)` or `on the open branch fix`.
 * Returns '' when there is nothing to report.
 * @param formatName formats the new path of a moved file and the name of a branch
 */
export function formatFreshness(
  { fileCount, staleCount, files, branch }: Freshness,
  formatName: (name: string) => string = (name) => name,
): string {
  if (branch?.state === 'open') return `on the open branch ${formatName(branch.name)}`;
  if (branch?.state === 'abandoned') return `on the deleted branch ${formatName(branch.name)}`;
  const [first] = files;
  if (first === undefined) return '';
  if (fileCount === 1) return `file ${formatStaleFile(first, formatName)}`;
  const part = staleCount === fileCount ? `${fileCount} files` : `${staleCount} of ${fileCount} files`;
  return `${part} ${describeVerdicts(files)}`;
}

/** Formats the change of one file, such as `moved to src/cart.ts`. */
export function formatStaleFile(
  { verdict, commits, movedTo }: StaleFile,
  formatPath: (path: string) => string = (path) => path,
): string {
  if (verdict === 'gone') return 'deleted';
  if (verdict === 'moved') return `moved to ${formatPath(movedTo ?? '')}`;
  if (commits === null) return 'changed since';
  return `changed since (${commits} ${commits === 1 ? 'commit' : 'commits'})`;
}

/** Files of one record can have different verdicts. */
function describeVerdicts(files: readonly StaleFile[]): string {
  const verdicts = new Set(files.map(({ verdict }) => verdict));
  if (verdicts.size > 1) return 'changed, moved or deleted since';
  return verdicts.has('gone') ? 'deleted' : verdicts.has('moved') ? 'moved' : 'changed since';
}
