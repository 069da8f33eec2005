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

type Checkout = Parameters<typeof judgeRecord>[1];

interface Pass {
  beforeId: number | undefined;
  count: number;
  /** The paths that decide about the records. */
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
  /** Null until the first step. */
  let pass: Pass | null = null;
  let commit: string | null = null;
  let history: History | null = null;

  /** Reads each file once. */
  const open = (head: CheckoutHead | null): Checkout => {
    const contents = new Map<string, Promise<FileContent>>();
    const judgeBranch = head && createBranchJudge({ git, root, head, signal });
    return {
      history,
      content: (path) => getOrCreate(contents, path, () => readFileContent(root, path)),
      // while files are not loaded, the verdicts are not stored
      judgeBranch: async (recorded) => (history?.hasRequests() ? null : (judgeBranch?.(recorded) ?? null)),
    };
  };

  return {
    root,
    restart: () => void (pass = null),
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
      if (records.length === PAGE && running.count < MOST_RECORDS) return true;
      if (!hasRequests) return false;
      // one walk through the history for the files of all records, then they are checked again
      await history?.load(running.paths);
      [running.beforeId, running.count] = [undefined, 0];
      return true;
    },
  };
}
