import {
  OBSERVATION_TEXT_LIMITS,
  toStorableText,
  truncate,
  type Freshness,
  type FreshnessVerdict,
  type ObservationFiles,
  type StaleFile,
} from '@claude-mem/core';
import type { BranchJudge } from './create-branch-judge.js';
import { scrubText } from '@claude-mem/privacy';
import { judgeFile, type CheckoutState } from './judge-file.js';

const MOST_LISTED = 20;

/** Judges a record by the files that it changed, or by the files that it read when it changed none. */
export async function judgeRecord(
  { files, head }: Pick<ObservationFiles, 'files' | 'head'>,
  checkout: CheckoutState & { judgeBranch: BranchJudge },
): Promise<Freshness> {
  const judged = [];
  for (const file of subjectsOf(files))
    judged.push({ path: file.path, ...(await judgeFile(file, head, checkout)) });
  const stale = judged.flatMap(({ verdict, ...file }): StaleFile[] =>
    verdict === 'fresh' || verdict === 'unknown'
      ? []
      : [{ ...file, verdict, movedTo: file.movedTo && storablePath(file.movedTo) }],
  );
  const verdict = verdictOf(judged.map((one) => one.verdict));
  // a branch whose work is here was merged, perhaps as one new commit
  const state = verdict === 'unknown' ? await checkout.judgeBranch(head) : null;
  return {
    verdict,
    branch: state === null ? null : { name: head?.branch ?? '', state },
    fileCount: judged.length,
    staleCount: stale.length,
    files: stale.slice(0, MOST_LISTED),
  };
}

/** The name of a file can contain anything, like every text that is stored. */
const storablePath = (path: string) =>
  truncate(scrubText(toStorableText(path)).text, OBSERVATION_TEXT_LIMITS.file);

/** The files whose change makes the record outdated. */
export function subjectsOf(files: ObservationFiles['files']): ObservationFiles['files'] {
  const changed = files.filter(({ role }) => role !== 'read' && role !== 'moved-from');
  return changed.length > 0 ? changed : files.filter(({ role }) => role === 'read');
}

function verdictOf(verdicts: readonly FreshnessVerdict[]): FreshnessVerdict {
  const isEvery = (kind: FreshnessVerdict) => verdicts.length > 0 && verdicts.every((one) => one === kind);
  if (isEvery('gone') || isEvery('fresh')) return verdicts[0] ?? 'unknown';
  const stale = verdicts.filter((one) => one !== 'fresh' && one !== 'unknown');
  if (stale.length === 0) return 'unknown';
  return stale.every((one) => one === 'moved') ? 'moved' : 'changed';
}
