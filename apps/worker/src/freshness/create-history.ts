import type { CheckoutHead } from '@claude-mem/core';
import type { RunGit } from '../git/create-git.js';

/** One commit that changed a file. */
export interface HistoryEntry {
  commit: string;
  /** The content of the file after the commit; null when the commit deleted the file. */
  blob: string | null;
}

/** What git knows about one path. */
export interface PathHistory {
  /** The commits that changed the path, newest first. */
  entries: readonly HistoryEntry[];
  /** False when there may be earlier commits that changed the path. */
  isComplete: boolean;
  /** What the current commit contains at the path. `other`: a link or a submodule. */
  inHead: 'file' | 'other' | 'nothing' | 'unknown';
}

/** What git knows about files up to one commit, the current one. */
export interface History {
  /** Changes the current commit. */
  moveTo(commit: string): void;
  /** Null when the path is not loaded for the current commit. Then the path is requested. */
  find(path: string): PathHistory | null;
  /** Whether paths were requested since the last `load`. */
  hasRequests(): boolean;
  /**
   * Loads the requested paths with one walk through the commits.
   * @param others paths that may be requested later: loading them now saves another walk
   */
  load(others: Iterable<string>): Promise<void>;
  /** Those of the entries that came after an earlier state of the checkout; null when that state is not part of the history. */
  since(entries: readonly HistoryEntry[], head: CheckoutHead | null): Promise<readonly HistoryEntry[] | null>;
  /** The new path of a file that a commit deleted; null when the commit did not move it; undefined when that is unknown. */
  findMoved(commit: string, path: string): Promise<string | null | undefined>;
}

/** Commits of one walk. Changes in earlier commits are not found. */
const MOST_COMMITS = 50_000;
/** Entries of all paths, about 100 bytes each. */
const MOST_ENTRIES = 100_000;
/** After more new commits, all commits are read again. */
const MOST_SINCE = 5_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** Git does not search for moves with edits when deleted files times added files are more than the square of this. */
const MOST_RENAMES = 400;
const TIMEOUT_MS = 10_000;
const WALK_TIMEOUT_MS = 60_000;
const NUL = '\0';

type KnownPath = Omit<PathHistory, 'entries'> & { entries: HistoryEntry[] };

/** Uses plumbing commands only, which run no filter and no program that the repository names. */
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
  const known = new Map<string, KnownPath>();
  const requested = new Set<string>();
  const moves = new Map<string, ReturnType<typeof readMoves>>();
  // records are checked newest first, so those of one commit follow each other
  let later: { base: string; commits: Promise<ReadonlySet<string> | null> } | null = null;

  /** What git printed; null when it failed. */
  const git = async (args: readonly string[]): Promise<string | null> => {
    const options = {
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      maxBytes: MAX_BYTES,
    };
    const answer = await run(root, args, options);
    return answer?.exitCode === 0 ? answer.stdout : null;
  };

  /** Passes on each part of the output that ends with NUL, until `onField` returns false. Null when `onField` ended it, false when git failed. */
  const readFields = async (args: readonly string[], onField: (field: Buffer) => boolean, input = '') => {
    const stop = new AbortController();
    let rest: Buffer = Buffer.alloc(0);
    const answer = await run(root, args, {
      signal: AbortSignal.any([signal, stop.signal, AbortSignal.timeout(WALK_TIMEOUT_MS)]),
      input,
      onOutput(part) {
        rest = rest.length === 0 ? part : Buffer.concat([rest, part]);
        let from = 0;
        for (let to = rest.indexOf(0); to >= 0 && !stop.signal.aborted; to = rest.indexOf(0, from)) {
          if (!onField(rest.subarray(from, to))) stop.abort();
          from = to + 1;
        }
        rest = rest.subarray(from);
      },
    });
    return stop.signal.aborted ? null : answer?.exitCode === 0;
  };

  /** Reads the changes of commits, until `most` entries are found. */
  const walk = async (commits: string, paths: ReadonlyMap<string, HistoryEntry[]>, most = MOST_ENTRIES) => {
    const options = ['-r', '--root', '--no-renames', '--raw', '--no-abbrev', '--no-ext-diff', '-z'];
    let count = 0;
    let commit = '';
    let change: string | null = null;
    // a commit, then for each file its change and its path
    const onField = (field: Buffer) => {
      if (change === null) {
        const text = field.toString();
        if (text.startsWith(':')) change = text;
        else commit = text;
        return true;
      }
      const entries = paths.get(field.toString());
      const [, , , blob = '', status] = entries === undefined ? [] : change.split(' ');
      change = null;
      count += entries === undefined ? 0 : 1;
      // a copy, because a part of a string keeps all of it in memory
      entries?.push({ commit, blob: status === 'D' ? null : Buffer.from(blob).toString() });
      return count < most;
    };
    return readFields(['diff-tree', '--stdin', ...options], onField, commits);
  };

  /** Replaces the commits that are not part of the current history. Returns false when all commits must be read again. */
  const update = async (): Promise<boolean> => {
    const range = ['--left-right', `--max-count=${MOST_SINCE}`, `${head}...${loadedHead}`];
    const list = (await git(['rev-list', ...range]))?.split('\n').slice(0, -1);
    if (list === undefined || list.length === MOST_SINCE) return false;
    const of = (side: string) => list.flatMap((line) => (line.startsWith(side) ? [line.slice(1)] : []));
    const [added, dropped] = [of('<'), new Set(of('>'))];
    const newer = new Map([...known.keys()].map((path): [string, HistoryEntry[]] => [path, []]));
    if (!(await walk(added.map((commit) => `${commit}\n`).join(''), newer))) return false;
    for (const [path, file] of known) {
      const kept = file.entries.filter(({ commit }) => !dropped.has(commit));
      file.entries = [...(newer.get(path) ?? []), ...kept];
    }
    return true;
  };

  const readAll = async (paths: readonly string[]) => {
    const added = new Map(paths.map((path): [string, HistoryEntry[]] => [path, []]));
    const commits = await git(['rev-list', `--max-count=${MOST_COMMITS}`, head]);
    const count = [...known.values()].reduce((sum, { entries }) => sum + entries.length, 0);
    const isRead = commits === null ? false : await walk(commits, added, MOST_ENTRIES - count);
    const isComplete = isRead === true && commits !== null && commits.split('\n').length <= MOST_COMMITS;
    if (isRead === false) hasFailed = true;
    for (const [path, entries] of added) known.set(path, { entries, isComplete, inHead: 'unknown' });
  };

  /** The commits after `base`; null when `base` is not part of the history. */
  const readLater = async (base: string): Promise<ReadonlySet<string> | null> => {
    if ((await git(['merge-base', '--is-ancestor', base, head])) === null) return null;
    const list = await git(['rev-list', `--max-count=${MOST_SINCE}`, head, `^${base}`]);
    const commits = list?.split('\n') ?? [];
    return list === null || commits.length > MOST_SINCE ? null : new Set(commits);
  };

  const readMoves = async (commit: string) => {
    const options = ['-r', '-M', `-l${MOST_RENAMES}`, '--diff-filter=ADR', '--name-status', '--no-ext-diff'];
    const list = await git(['diff-tree', ...options, '--no-commit-id', '-z', commit]);
    if (list === null) return undefined;
    const fields = list.split(NUL).values();
    const paths = new Map<string, string>();
    const count = { A: 0, D: 0 };
    for (const status of fields) {
      const path = fields.next().value ?? '';
      if (status === 'A' || status === 'D') count[status] += 1;
      else paths.set(path, fields.next().value ?? '');
    }
    return { paths, isCut: count.A * count.D > MOST_RENAMES ** 2 };
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
      const isCurrent = loadedHead === head || (!hasFailed && known.size > 0 && (await update()));
      if (!isCurrent) {
        known.clear();
        hasFailed = false;
      }
      const missing = [...new Set([...requested, ...others])].filter((path) => !known.has(path));
      if (missing.length > 0) await readAll(missing);
      const inHead = new Map<string, 'file' | 'other'>();
      const isRead = await readFields(['ls-tree', '-r', '-z', '--full-tree', head], (field) => {
        const path = field.subarray(field.indexOf('\t') + 1).toString();
        // the mode of a regular file
        if (known.has(path)) inHead.set(path, field.subarray(0, 3).toString() === '100' ? 'file' : 'other');
        return true;
      });
      if (isRead !== true) hasFailed = true;
      for (const [path, file] of known)
        file.inHead = isRead !== true ? 'unknown' : (inHead.get(path) ?? 'nothing');
      loadedHead = head;
      requested.clear();
    },
    async since(list, earlier) {
      if (earlier === null) return null;
      // everything came after a checkout without a commit
      if (earlier.commit === null) return list;
      if (later?.base !== earlier.commit)
        later = { base: earlier.commit, commits: readLater(earlier.commit) };
      const commits = await later.commits;
      return commits && list.filter(({ commit }) => commits.has(commit));
    },
    async findMoved(commit, path) {
      const moved = moves.get(commit) ?? readMoves(commit);
      moves.set(commit, moved);
      const found = await moved;
      return found && (found.paths.get(path) ?? (found.isCut ? undefined : null));
    },
  };
}
