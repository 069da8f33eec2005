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

const MAX_LISTED = 20;

/** Judges a record by the files that it changed. If it changed none, the files that it read are used. */
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
  // The current checkout contains the work of the branch, so the branch was merged, perhaps as one new commit.
  const state = verdict === 'unknown' ? await checkout.judgeBranch(head) : null;
  return {
    verdict,
    branch: state === null ? null : { name: head?.branch ?? '', state },
    fileCount: judged.length,
    staleCount: stale.length,
    files: stale.slice(0, MAX_LISTED),
  };
}

/** File names are untrusted like other stored text: secrets are removed and the length is limited. */
const storablePath = (path: string) =>
  truncate(scrubText(toStorableText(path)).text, OBSERVATION_TEXT_LIMITS.file);

/** Returns the files whose changes make the record stale. */
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
