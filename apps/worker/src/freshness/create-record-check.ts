import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckoutHead, ObservationFiles, ObservationFreshness, Store } from '@claude-mem/core';
import type { RunGit } from '../git/create-git.js';
import { readHead } from '../git/read-head.js';
import { createBranchJudge, type BranchJudge } from './create-branch-judge.js';
import { createHistory, type History } from './create-history.js';
import { judgeRecord, subjectsOf } from './judge-record.js';
import { readFileContent, type FileContent } from './read-file-content.js';

/** Compares the records of a project with the files of one checkout, some records at a time. */
export interface RecordCheck {
  readonly root: string;
  /** Begins with the newest record again. */
  restart(): void;
  /** Checks some records. Returns false when none are left. */
  step(): Promise<boolean>;
  /** True when another commit is checked out than the one that was checked last. */
  isOutdated(): boolean;
}

const PAGE = 50;
/** Older records of a project are not checked. */
const MOST_RECORDS = 2_000;

interface Pass {
  beforeId: number | undefined;
  count: number;
  /** The paths that decide about the records. */
  paths: Set<string>;
  contents: Map<string, Promise<FileContent>>;
  /** Null until the first step. */
  judgeBranch: BranchJudge | null;
}

export function createRecordCheck({
  store,
  git,
  projectId,
  root,
  signal,
}: {
  store: Pick<Store, 'listObservationFiles' | 'setFreshness'>;
  git: RunGit;
  projectId: number;
  root: string;
  signal: AbortSignal;
}): RecordCheck {
  let pass = newPass();
  let commit: string | null = null;
  let history: History | null = null;

  return {
    root,
    restart: () => void (pass = newPass()),
    isOutdated: () => (readHead(root)?.commit ?? null) !== commit,
    async step() {
      const head = readHead(root);
      // a checkout whose commit cannot be read proves nothing
      if (!existsSync(root) || (head === null && existsSync(join(root, '.git')))) return false;
      const current = head?.commit ?? null;
      if (current !== commit) {
        commit = current;
        history = commit === null ? null : (history ?? createHistory({ git, root, signal }));
        if (commit !== null) history?.moveTo(commit);
        pass = newPass();
      }
      const running = pass;
      const records = await store.listObservationFiles({
        projectId,
        ...(running.beforeId !== undefined && { beforeId: running.beforeId }),
        limit: PAGE,
      });
      const judgeBranch = (running.judgeBranch ??=
        head === null ? async () => null : createBranchJudge({ git, root, head, signal }));
      const rows = await judgeAll(records, { ...running, judgeBranch, root, commit, history });
      const hasRequests = history?.hasRequests() === true;
      if (!hasRequests) await store.setFreshness(rows);
      running.beforeId = records.at(-1)?.observationId;
      running.count += records.length;
      if (records.length === PAGE && running.count < MOST_RECORDS) return true;
      if (!hasRequests) return false;
      // one walk through the history for the files of all records, then they are checked again
      await history?.load(running.paths);
      [running.beforeId, running.count] = [undefined, 0];
      return true;
    },
  };
}

const newPass = (): Pass => ({
  beforeId: undefined,
  count: 0,
  paths: new Set(),
  contents: new Map(),
  judgeBranch: null,
});

async function judgeAll(
  records: readonly ObservationFiles[],
  {
    root,
    commit,
    history,
    paths,
    contents,
    judgeBranch,
  }: Pick<Pass, 'paths' | 'contents'> & {
    root: string;
    commit: string | null;
    history: History | null;
    judgeBranch: BranchJudge;
  },
): Promise<ObservationFreshness[]> {
  const checkout = {
    history,
    content(path: string) {
      const known = contents.get(path) ?? readFileContent(root, path);
      contents.set(path, known);
      return known;
    },
    // while files are not loaded, the verdicts are not stored
    judgeBranch: async (head: CheckoutHead | null) => (history?.hasRequests() ? null : judgeBranch(head)),
  };
  const rows: ObservationFreshness[] = [];
  for (const record of records) {
    for (const { path } of subjectsOf(record.files)) paths.add(path);
    const freshness = await judgeRecord(record, checkout);
    rows.push({ observationId: record.observationId, checkout: root, headCommit: commit, freshness });
  }
  return rows;
}
