import type { CheckoutHead } from '@claude-mem/core';
import type { RunGit } from './git/create-git.js';
import { getOrCreate } from './get-or-create.js';

/** The change of one file by one commit. */
export interface HistoryEntry {
  commit: string;
  /** The content of the file after the commit; null when the commit deleted the file. */
  blob: string | null;
}

/** The commits and the current state of one path. */
interface PathHistory {
  /** The commits that changed the path, newest first. */
  entries: HistoryEntry[];
  /** False when there may be earlier commits that changed the path. */
  isComplete: boolean;
  /** The content of the path in the current commit. `other`: a link or a submodule. */
  inHead: 'file' | 'other' | 'nothing' | 'unknown';
}

/** Reads the history of files up to the current commit. */
export interface History {
  moveTo(commit: string): void;
  /** Returns the history of a path. Returns null and requests the path if it is not loaded for the current commit. */
  find(path: string): PathHistory | null;
  /** Returns true if paths were requested after the last `load`. */
  hasRequests(): boolean;
  /**
   * Loads the requested paths with one walk through the commits.
   * @param others paths that may be requested later: loading them now saves another walk
   */
  load(others: Iterable<string>): Promise<void>;
  /**
   * Returns the entries that were added after an earlier state of the checkout; null when that state is not part of
   * the history.
   */
  since(entries: readonly HistoryEntry[], head: CheckoutHead | null): Promise<readonly HistoryEntry[] | null>;
  /**
   * Returns the new path of a file that a commit deleted. Null means that the commit did not move the file. Undefined
   * means that the answer is unknown.
   */
  findMoved(commit: string, path: string): Promise<string | null | undefined>;
}

/** Maximum number of commits that one walk reads. Earlier changes are not found. */
const MAX_COMMITS = 50_000;
/** Maximum number of entries for all paths together. An entry takes about 100 bytes. */
const MAX_ENTRIES = 100_000;
/** Above this number of new commits, the complete history is read again. */
const MAX_NEW_COMMITS = 5_000;
const MAX_BYTES = 4 * 1024 * 1024;
/**
 * Limit for git's search for files that were moved and edited. Git searches only in commits with at most the square
 * of this number of pairs of a deleted and an added file.
 */
const MAX_RENAMES = 400;
const TIMEOUT_MS = 10_000;
const WALK_TIMEOUT_MS = 30_000;
const NUL = '\0';

/**
 * Creates a reader that uses only git plumbing commands. These run no filter and no other program of the repository.
 */
export function createHistory({
  git: run,
  root,
  signal,
}: {
  git: RunGit;
  root: string;
  signal: AbortSignal;
}): History {
  let head = '';
  /** The commit for which the known paths are loaded. */
  let loadedHead = '';
  let hasFailed = false;
  const known = new Map<string, PathHistory>();
  const requested = new Set<string>();
  const moves = new Map<string, ReturnType<typeof readMoves>>();
  // Records are checked newest first, so records of the same commit are adjacent.
  let later: { base: string; commits: Promise<ReadonlySet<string> | null> } | null = null;

  const within = (ms: number) => AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  /** Returns the output of git; null when git failed. */
  const git = async (args: readonly string[]): Promise<string | null> => {
    const answer = await run(root, args, { signal: within(TIMEOUT_MS), maxBytes: MAX_BYTES });
    return answer?.exitCode === 0 ? answer.stdout : null;
  };

  /** Calls `onField` with each part of the output that ends with a null character. */
  const readFields = async (args: readonly string[], onField: (field: Buffer) => void, input = '') => {
    const options = { signal: within(WALK_TIMEOUT_MS), input, onOutput: splitAtNul(onField) };
    const answer = await run(root, args, options);
    if (answer?.exitCode !== 0) hasFailed = true;
  };

  /** Adds the changes of commits to their paths. Returns whether all of them were added. */
  const walk = async (commits: string, paths: ReadonlyMap<string, HistoryEntry[]>, most = MAX_ENTRIES) => {
    const options = ['-r', '--root', '--no-renames', '--raw', '--no-abbrev', '--no-ext-diff', '-z'];
    let count = 0;
    const onField = changeReader(({ path, commit, change }) => {
      const entries = paths.get(path);
      if (entries !== undefined && ++count <= most) entries.push(entryOf(commit, change));
    });
    await readFields(['diff-tree', '--stdin', ...options], onField, commits);
    return count <= most && !hasFailed;
  };

  /**
   * Removes commits that are not part of the current history and reads the new ones. Returns false when all commits
   * must be read again.
   */
  const update = async (): Promise<boolean> => {
    const range = ['--left-right', `--max-count=${MAX_NEW_COMMITS}`, `${head}...${loadedHead}`];
    const list = (await git(['rev-list', ...range]))?.split('\n').slice(0, -1);
    if (list === undefined || list.length === MAX_NEW_COMMITS) return false;
    const of = (side: string) => list.filter((line) => line.startsWith(side)).map((line) => line.slice(1));
    const [added, dropped] = [emptyEntries(known.keys()), new Set(of('>'))];
    if (!(await walk(`${of('<').join('\n')}\n`, added))) return false;
    for (const [path, file] of known) {
      const kept = file.entries.filter(({ commit }) => !dropped.has(commit));
      file.entries = [...(added.get(path) ?? []), ...kept];
    }
    return true;
  };

  const readAll = async (paths: readonly string[]) => {
    const added = emptyEntries(paths);
    const commits = await git(['rev-list', `--max-count=${MAX_COMMITS}`, head]);
    if (commits === null) hasFailed = true;
    const count = [...known.values()].reduce((sum, { entries }) => sum + entries.length, 0);
    const isRead = await walk(commits ?? '', added, MAX_ENTRIES - count);
    const isComplete = isRead && (commits ?? '').split('\n').length <= MAX_COMMITS;
    for (const [path, entries] of added) known.set(path, { entries, isComplete, inHead: 'unknown' });
  };

  /** Returns the commits after `base`; null when `base` is not part of the history. */
  const readLater = async (base: string): Promise<ReadonlySet<string> | null> => {
    if ((await git(['merge-base', '--is-ancestor', base, head])) === null) return null;
    const list = await git(['rev-list', `--max-count=${MAX_NEW_COMMITS}`, head, `^${base}`]);
    const commits = list?.split('\n') ?? [];
    return list === null || commits.length > MAX_NEW_COMMITS ? null : new Set(commits);
  };

  const readMoves = async (commit: string) => {
    const options = ['-r', '-M', `-l${MAX_RENAMES}`, '--diff-filter=ADR', '--name-status', '--no-ext-diff'];
    const list = await git(['diff-tree', ...options, '--no-commit-id', '-z', commit]);
    return list === null ? undefined : movesIn(list);
  };

  return {
    moveTo(commit) {
      head = commit;
      later = null;
      moves.clear();
    },
    find(path) {
      const found = loadedHead === head ? known.get(path) : undefined;
      if (found === undefined) requested.add(path);
      return found ?? null;
    },
    hasRequests: () => requested.size > 0,
    async load(others) {
      if (loadedHead !== head && (hasFailed || known.size === 0 || !(await update()))) {
        known.clear();
        hasFailed = false;
      }
      const missing = [...new Set([...requested, ...others])].filter((path) => !known.has(path));
      if (missing.length > 0) await readAll(missing);
      for (const file of known.values()) file.inHead = 'nothing';
      await readFields(['ls-tree', '-r', '-z', '--full-tree', head], (field) => {
        const file = known.get(field.subarray(field.indexOf('\t') + 1).toString());
        // The file mode of a regular file begins with 100.
        if (file) file.inHead = field.subarray(0, 3).toString() === '100' ? 'file' : 'other';
      });
      if (hasFailed) for (const file of known.values()) file.inHead = 'unknown';
      loadedHead = head;
      requested.clear();
    },
    async since(list, earlier) {
      if (earlier === null) return null;
      // The checkout had no commit at that time, so all entries are later.
      if (earlier.commit === null) return list;
      if (later?.base !== earlier.commit)
        later = { base: earlier.commit, commits: readLater(earlier.commit) };
      const commits = await later.commits;
      return commits && list.filter(({ commit }) => commits.has(commit));
    },
    async findMoved(commit, path) {
      const found = await getOrCreate(moves, commit, () => readMoves(commit));
      return found && (found.paths.get(path) ?? (found.isCut ? undefined : null));
    },
  };
}

const emptyEntries = (paths: Iterable<string>) =>
  new Map([...paths].map((path): [string, HistoryEntry[]] => [path, []]));

function splitAtNul(onField: (field: Buffer) => void): (part: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (part) => {
    rest = Buffer.concat([rest, part]);
    let from = 0;
    for (let to = rest.indexOf(0); to >= 0; to = rest.indexOf(0, from)) {
      onField(rest.subarray(from, to));
      from = to + 1;
    }
    rest = rest.subarray(from);
  };
}

/** Reads the fields of `git diff-tree --stdin --raw -z`: a commit, then for each file its change and its path. */
function changeReader(
  onChange: (found: { path: string; commit: string; change: string }) => void,
): (field: Buffer) => void {
  let [commit, change] = ['', ''];
  return (field) => {
    const text = field.toString();
    if (change === '') {
      if (text.startsWith(':')) change = text;
      else commit = text;
      return;
    }
    onChange({ path: text, commit, change });
    change = '';
  };
}

function entryOf(commit: string, change: string): HistoryEntry {
  const [, , , blob = '', status] = change.split(' ');
  // A copy is needed, because a substring keeps the complete string in memory.
  return { commit, blob: status === 'D' ? null : Buffer.from(blob).toString() };
}

/** Reads the output of `git diff-tree --name-status -z`. */
function movesIn(list: string): { paths: Map<string, string>; isCut: boolean } {
  const fields = list.split(NUL).values();
  const paths = new Map<string, string>();
  const count = { A: 0, D: 0 };
  for (const status of fields) {
    const path = fields.next().value ?? '';
    if (status === 'A' || status === 'D') count[status] += 1;
    else paths.set(path, fields.next().value ?? '');
  }
  return { paths, isCut: count.A * count.D > MAX_RENAMES ** 2 };
}
