import type { HitEvidence } from '../memory.js';

/** Shares of the prompt, by rareness. */
const COVERAGE = 0.3;
/** Words that are no chance, and how rare each must be. */
const RARE_WORDS = 2;
const RARE = 0.35;

/** Whether a record is on the matter of a prompt. */
export function isRelevant({ words }: HitEvidence): boolean {
  const coverage = words.reduce((sum, { share }) => sum + share, 0);
  const rare = words.filter(({ rareness }) => rareness >= RARE);
  return coverage >= COVERAGE && rare.length >= RARE_WORDS;
}
