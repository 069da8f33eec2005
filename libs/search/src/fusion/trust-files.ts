import { between } from './weigh-arms.js';

/** One session, as words and files see it. */
export interface SessionEvidence {
  /** By words, 1 for the best of all sessions. */
  words: number;
  /** The share of the files at hand that it touched. */
  files: number;
}

export const FILE_TRUST = {
  /** Files that no session touched together are not one piece of work. */
  together: { nothing: 0.6, fine: 1 },
  /** By how much the best session by words must be ahead of the tenth for words to be sure. */
  sure: { nothing: 0.4, fine: 0.6 },
  /** How well words and files must speak for the same session, one times the other. */
  agreement: { nothing: 0.4, fine: 0.7 },
} as const;
const COMPARED = 10;

/**
 * How far to believe the files at hand, 0 to 1: fully where a session touched them all, unless words are sure of other sessions.
 * @param sessions those that words or files found
 */
export function trustFiles(sessions: readonly SessionEvidence[]): number {
  const together = between(
    sessions.reduce((most, { files }) => Math.max(most, files), 0),
    FILE_TRUST.together,
  );
  if (together === 0 || sessions.length < COMPARED) return together;
  const byWords = sessions.map(({ words }) => words).sort((a, b) => b - a);
  const sure = between((byWords[0] ?? 0) - (byWords[COMPARED - 1] ?? 0), FILE_TRUST.sure);
  const both = sessions.reduce((most, { words, files }) => Math.max(most, words * files), 0);
  return together * (1 - sure * (1 - between(both, FILE_TRUST.agreement)));
}
