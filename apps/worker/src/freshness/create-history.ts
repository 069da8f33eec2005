import type { CheckoutHead } from '@claude-mem/core';
import type { RunGit } from '../git/create-git.js';

/** One commit that changed a file. */
export interface HistoryEntry {
  commit: string;
  /** The content of the file after the commit; null when the commit deleted the file. */
  blob: string | null;
}

/** What git knows about files up to one commit. All answers are null or undefined when git does not answer in time. */
export interface History {
  /** Reads the history of several files at once. */
  load(paths: readonly string[]): Promise<void>;
  /** The commits that changed a file that was loaded, newest first. */
  entriesOf(path: string): readonly HistoryEntry[] | null;
  /** Whether the commit of the history contains a file that was loaded. */
  contains(path: string): boolean;
  /** Those of the entries that came after an earlier state of the checkout; null when that state is not part of the history. */
  since(entries: readonly HistoryEntry[], head: CheckoutHead | null): Promise<readonly HistoryEntry[] | null>;
  /** The new path of a file that a commit deleted; null when the commit did not move it; undefined when that is unknown. */
  findMoved(commit: string, path: string): Promise<string | null | undefined>;
}

/** Commits of one walk through the history. In earlier ones, files are not found. */
const MOST_ENTRIES = 1_000;
const MOST_SINCE = 5_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** Inexact moves are not searched for in a commit that deletes or adds more files. */
const MOST_RENAMES = 400;
const TIMEOUT_MS = 10_000;
const NUL = '\0';

/**
 * Answers from the objects of git, which never change, so that all answers are kept. Uses plumbing commands only, which run no filter
 * and no program that the repository names.
 */
export function createHistory({
  git: run,
  root,
  commit: head,
  signal,
}: {
  git: RunGit;
  root: string;
  commit: string;
  signal: AbortSignal;
}): History {
  const entries = new Map<string, HistoryEntry[] | null>();
  const inHead = new Set<string>();
  const laterCommits = new Map<string, Promise<ReadonlySet<string> | null>>();
  const moves = new Map<string, Promise<ReadonlyMap<string, string> | undefined>>();

  /** What git printed; null when it failed. */
  const git = async (args: readonly string[], input?: string): Promise<string | null> => {
    const answer = await run(root, ['--literal-pathspecs', ...args], {
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      maxBytes: MAX_BYTES,
      ...(input !== undefined && { input }),
    });
    return answer?.exitCode === 0 ? answer.stdout : null;
  };

  const readEntries = async (paths: readonly string[]) => {
    const commits = await git(['rev-list', `--max-count=${MOST_ENTRIES}`, head, '--', ...paths]);
    if (commits === null || commits === '') return commits;
    const options = ['-r', '--root', '--no-renames', '--raw', '--no-abbrev', '--no-ext-diff', '-z'];
    return git(['diff-tree', '--stdin', ...options, '--', ...paths], commits);
  };

  /** The commits after `base`; null when `base` is not part of the history. */
  const readLater = async (base: string): Promise<ReadonlySet<string> | null> => {
    if ((await git(['merge-base', '--is-ancestor', base, head])) === null) return null;
    const list = await git(['rev-list', `--max-count=${MOST_SINCE}`, head, `^${base}`]);
    const commits = list?.split('\n') ?? [];
    return list === null || commits.length > MOST_SINCE ? null : new Set(commits);
  };

  const readMoves = async (commit: string) => {
    const options = ['-r', '-M', `-l${MOST_RENAMES}`, '--diff-filter=R', '--name-status', '--no-ext-diff'];
    const list = await git(['diff-tree', ...options, '--no-commit-id', '-z', commit]);
    if (list === null) return undefined;
    const fields = list.split(NUL);
    const found = new Map<string, string>();
    for (let at = 0; at + 2 < fields.length; at += 3) found.set(fields[at + 1] ?? '', fields[at + 2] ?? '');
    return found;
  };

  return {
    async load(paths) {
      const missing = paths.filter((path) => !entries.has(path));
      if (missing.length === 0) return;
      const [list, tree] = [
        await readEntries(missing),
        await git(['ls-tree', '-z', '--full-tree', '--name-only', head, '--', ...missing]),
      ];
      for (const path of missing) entries.set(path, list === null || tree === null ? null : []);
      for (const path of tree?.split(NUL) ?? []) inHead.add(path);
      for (const [path, entry] of entriesIn(list ?? '')) entries.get(path)?.push(entry);
    },
    entriesOf: (path) => entries.get(path) ?? null,
    contains: (path) => inHead.has(path),
    async since(list, earlier) {
      if (earlier === null) return null;
      // everything came after a checkout without a commit
      if (earlier.commit === null) return list;
      const later = laterCommits.get(earlier.commit) ?? readLater(earlier.commit);
      laterCommits.set(earlier.commit, later);
      const commits = await later;
      return commits && list.filter(({ commit }) => commits.has(commit));
    },
    async findMoved(commit, path) {
      const known = moves.get(commit) ?? readMoves(commit);
      moves.set(commit, known);
      const found = await known;
      return found && (found.get(path) ?? null);
    },
  };
}

/** Reads the output of `git diff-tree --stdin -z`: a commit, then for each file its change and its path. */
function* entriesIn(list: string): Generator<[path: string, entry: HistoryEntry]> {
  const fields = list.split(NUL).values();
  let commit = '';
  for (const field of fields) {
    if (!field.startsWith(':')) commit = field;
    else {
      const [, , , blob = '', status = ''] = field.split(' ');
      const path = fields.next().value ?? '';
      yield [path, { commit, blob: status === 'D' ? null : blob }];
    }
  }
}
