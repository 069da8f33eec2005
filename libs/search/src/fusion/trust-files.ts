import { between } from './weigh-arms.js';

/** The scores of one session by words and by files. */
export interface SessionEvidence {
  /** By words, 1 for the best session. */
  words: number;
  /** The share of the current files that it touched. */
  files: number;
}

export const FILE_TRUST = {
  /** Files that no session touched together do not belong to one task. */
  together: { nothing: 0.6, fine: 1 },
  /** Minimum lead of the best session over the tenth, by words, for words to be decisive. */
  sure: { nothing: 0.4, fine: 0.6 },
  /** Minimum product of the word and file scores of one session. */
  agreement: { nothing: 0.4, fine: 0.7 },
} as const;
const COMPARED = 10;

/**
 * Computes the weight of the current files, 0 to 1: full when a session touched all of them, unless the words clearly
 * match other sessions.
 * @param sessions sessions found by words or files
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
