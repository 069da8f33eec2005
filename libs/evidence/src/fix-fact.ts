import { formatCodeSpan, type Observation } from '@claude-mem/core';
import { isSameError, formatQuotableError, readErrorPattern } from './error-pattern.js';
import type { TurnEvidence } from './collect-evidence.js';
import type { Fix } from './fixes.js';

const MAX_FILES = 2;
const FAILED = ' failed';
const IN_HOOK = `${FAILED} in its hook`;
const FIX_FACT = new RegExp(
  `^(\`[^\n]+\`)(?:${IN_HOOK}|${FAILED}): “([^”]+)”; ([^\n]*\\bpasses (?:after|later)\\b[^\n]*[^…\\s])$`,
);

/** Formats a fix as a fact that `readFixFact` can parse. */
export function formatFixFact({ failed, passed, between }: Fix, edits: TurnEvidence['edits']): string {
  const files = [
    ...new Set(edits.filter(({ at }) => at > failed.at && at < passed.at).map(({ path }) => path)),
  ];
  const result =
    between === null
      ? files.length > 0
        ? `passes after edits of ${formatFiles(files)}`
        : 'passes later in the turn'
      : `passes after \`${between.displayLine}\``;
  const failure =
    failed.kind === 'commit' ? `\`git commit\`${IN_HOOK}` : `\`${failed.displayLine}\`${FAILED}`;
  const check = failed.key === passed.key ? '' : `\`${passed.displayLine}\` `;
  return `${failure}: “${formatQuotableError(failed.error ?? '')}”; ${check}${result}`;
}

/** Returns the error and the fix of a fact, or null when the fact describes no fix. */
export function readFixFact(text: string): { error: string; fix: string } | null {
  const [, failed, error, fix] = FIX_FACT.exec(text) ?? [];
  if (failed === undefined || error === undefined || fix === undefined) return null;
  return { error, fix: fix.startsWith('passes') ? `${failed} ${fix}` : fix };
}

/** A record that proves how the same error was fixed before. */
export interface KnownFix {
  record: Observation;
  error: string;
  fix: string;
}

/**
 * Finds the newest record that proves a fix of the same error. Only facts that an observer derived from tool results
 * count.
 */
export function findKnownFix(records: readonly Observation[], error: string): KnownFix | null {
  const pattern = readErrorPattern(error);
  const newestFirst = records.toSorted((left, right) => right.createdAtEpoch - left.createdAtEpoch);
  for (const record of newestFirst) {
    if (record.source !== 'observer' || record.supersededBy !== null) continue;
    for (const { text, origin } of record.facts) {
      const known = origin === 'evidence' ? readFixFact(text) : null;
      if (known !== null && isSameError(readErrorPattern(known.error), pattern))
        return { record, error: known.error, fix: known.fix };
    }
  }
  return null;
}

function formatFiles(files: readonly string[]): string {
  const shown = files.slice(0, MAX_FILES).map(formatCodeSpan).join(', ');
  return files.length > MAX_FILES ? `${shown} and ${files.length - MAX_FILES} more` : shown;
}
