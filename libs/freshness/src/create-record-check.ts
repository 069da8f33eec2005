import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckoutHead, ObservationFreshness, Store } from '@claude-mem/core';
import type { RunGit } from './git/create-git.js';
import { readHead } from './git/read-head.js';
import { createBranchJudge } from './create-branch-judge.js';
import { createHistory, type History } from './create-history.js';
import { judgeRecord, subjectsOf } from './judge-record.js';
import { readFileContent, type FileContent } from './read-file-content.js';
import { getOrCreate } from './get-or-create.js';

/** Compares the records of a project with the files of one checkout, in small steps. */
export interface RecordCheck {
  readonly root: string;
  /** Restarts with the newest record. */
  restart(): void;
  /** Checks the next records. Returns false when none are left. */
  step(): Promise<boolean>;
  /** Returns true if another commit is checked out than during the last step. */
  isOutdated(): boolean;
}

const PAGE = 50;
/** Maximum number of records that are checked per project, newest first. */
const MAX_RECORDS = 2_000;

type Checkout = Parameters<typeof judgeRecord>[1];

interface Pass {
  beforeId: number | undefined;
  count: number;
  /** Returns the paths that determine the verdicts of the records. */
  paths: Set<string>;
  checkout: Checkout;
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
  /** The checkout state of the current pass; null before the first step. */
  let pass: Pass | null = null;
  let commit: string | null = null;
  let history: History | null = null;

  /** The cache reads each file only once. */
  const open = (head: CheckoutHead | null): Checkout => {
    const contents = new Map<string, Promise<FileContent>>();
    const judgeBranch = head && createBranchJudge({ git, root, head, signal });
    return {
      history,
      content: (path) => getOrCreate(contents, path, () => readFileContent(root, path)),
      // The branch is judged after all requested files are loaded. No verdict is stored before that.
      judgeBranch: async (recorded) => (history?.hasRequests() ? null : (judgeBranch?.(recorded) ?? null)),
    };
  };

  return {
    root,
    restart: () => void (pass = null),
    isOutdated: () => (readHead(root)?.commit ?? null) !== commit,
    async step() {
      const head = readHead(root);
      // A checkout whose commit cannot be read proves nothing.
      if (!existsSync(root) || (head === null && existsSync(join(root, '.git')))) return false;
      const current = head?.commit ?? null;
      if (current !== commit) {
        commit = current;
        history = commit === null ? null : (history ?? createHistory({ git, root, signal }));
        if (commit !== null) history?.moveTo(commit);
        pass = null;
      }
      const running = (pass ??= { beforeId: undefined, count: 0, paths: new Set(), checkout: open(head) });
      const records = await store.listObservationFiles({
        projectId,
        ...(running.beforeId !== undefined && { beforeId: running.beforeId }),
        limit: PAGE,
      });
      const rows: ObservationFreshness[] = [];
      for (const record of records) {
        for (const { path } of subjectsOf(record.files)) running.paths.add(path);
        const freshness = await judgeRecord(record, running.checkout);
        rows.push({ observationId: record.observationId, checkout: root, headCommit: commit, freshness });
      }
      const hasRequests = history?.hasRequests() === true;
      if (!hasRequests) await store.setFreshness(rows);
      running.beforeId = records.at(-1)?.observationId;
      running.count += records.length;
      if (records.length === PAGE && running.count < MAX_RECORDS) return true;
      if (!hasRequests) return false;
      // One walk through the history loads the files of all records. Then the records are checked again.
      await history?.load(running.paths);
      [running.beforeId, running.count] = [undefined, 0];
      return true;
    },
  };
}
