/** What a query's words and its meaning count. */
export interface ArmWeights {
  words: number;
  meaning: number;
}

/** Words alone, as where their own syntax is asked for. */
export const WORDS_ALONE: ArmWeights = { words: 1, meaning: 0 };

export const ARM_TRUST = {
  /** Below the first, the words that the best records hold say next to nothing; at the second they are fine. */
  coverage: { nothing: 0.1, fine: 0.25 },
  rareWords: { nothing: 0.8, fine: 1.2 },
  /** Below the first, vectors are not believed beside words that are fine; at the second fully. */
  agreement: { nothing: 0.2, fine: 0.6 },
  /** Of meaning beside words that are fine, and of words that say next to nothing. */
  beside: { meaning: 0.25, words: 0.3 },
} as const;

/**
 * How far to believe words and vectors for one query. Words count by how much the best records hold of the query; vectors, where
 * the words are fine, by how far they find the same records, so that a model that knows nothing changes nothing.
 */
export function weighArms(given: {
  /** Mean share of the query, by rareness, that stands in the best records; 0 when no word was found. */
  coverage: number;
  /** The same not as a share but as a number of words, a word that stands in one record counting 1. */
  rareWords: number;
  agreement: number;
}): ArmWeights {
  const { coverage, rareWords, agreement, beside } = ARM_TRUST;
  const trust = Math.max(between(given.coverage, coverage), between(given.rareWords, rareWords));
  return {
    words: trust + (1 - trust) * beside.words,
    meaning: trust * beside.meaning * between(given.agreement, agreement) + (1 - trust),
  };
}

/**
 * The share of what words found best, by their scores, that is among the nearest as well; 0 when words found nothing.
 * @param best by words
 */
export function agreementOf(best: readonly { score: number; isNear: boolean }[]): number {
  const sum = best.reduce((all, { score }) => all + score, 0);
  const near = best.reduce((all, { score, isNear }) => all + (isNear ? score : 0), 0);
  return sum > 0 ? near / sum : 0;
}

/** 0 up to `nothing`, 1 from `fine` on, a straight line between. */
export function between(value: number, { nothing, fine }: { nothing: number; fine: number }): number {
  return Math.min(Math.max((value - nothing) / (fine - nothing), 0), 1);
}
