import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ObservationFiles, ObservationFreshness, Store } from '@claude-mem/core';
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
        history = commit === null ? null : createHistory({ git, root, commit, signal });
        pass = newPass();
      }
      const running = pass;
      const records = await store.listObservationFiles({
        projectId,
        ...(running.beforeId !== undefined && { beforeId: running.beforeId }),
        limit: PAGE,
      });
      running.judgeBranch ??=
        head === null ? async () => null : createBranchJudge({ git, root, head, signal });
      const { contents, judgeBranch } = running;
      await store.setFreshness(await judgeAll(records, { root, commit, history, contents, judgeBranch }));
      running.beforeId = records.at(-1)?.observationId;
      running.count += records.length;
      return records.length === PAGE && running.count < MOST_RECORDS;
    },
  };
}

const newPass = (): Pass => ({ beforeId: undefined, count: 0, contents: new Map(), judgeBranch: null });

async function judgeAll(
  records: readonly ObservationFiles[],
  {
    root,
    commit,
    history,
    contents,
    judgeBranch,
  }: {
    root: string;
    commit: string | null;
    history: History | null;
    contents: Pass['contents'];
    judgeBranch: BranchJudge;
  },
): Promise<ObservationFreshness[]> {
  const content = (path: string) => {
    const known = contents.get(path) ?? readFileContent(root, path);
    contents.set(path, known);
    return known;
  };
  // one walk through the history for all files
  const differing = new Set<string>();
  for (const { path, blob } of records.flatMap(({ files }) => subjectsOf(files))) {
    const found = await content(path);
    if (found.kind !== 'unknown' && !(found.kind === 'blob' && found.id === blob)) differing.add(path);
  }
  await history?.load([...differing]);
  const rows: ObservationFreshness[] = [];
  for (const record of records) {
    const freshness = await judgeRecord(record, { content, history, judgeBranch });
    rows.push({ observationId: record.observationId, checkout: root, headCommit: commit, freshness });
  }
  return rows;
}
