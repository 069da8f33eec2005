/** The weights of lexical and semantic results. */
export interface ArmWeights {
  words: number;
  meaning: number;
}

/** Weights for lexical search only, used for queries in FTS5 syntax. */
export const WORDS_ALONE: ArmWeights = { words: 1, meaning: 0 };

export const ARM_TRUST = {
  /**
   * Below the first value, the words of the best records say next to nothing. From the second on, they are
   * sufficient.
   */
  coverage: { nothing: 0.1, fine: 0.25 },
  rareWords: { nothing: 0.8, fine: 1.2 },
  /**
   * Below the first value, vectors have no weight when the words are sufficient. From the second on, they have full
   * weight.
   */
  agreement: { nothing: 0.2, fine: 0.6 },
  /** Weight of vectors when the words are sufficient, and when they say next to nothing. */
  beside: { meaning: 0.25, words: 0.3 },
} as const;

/**
 * Computes the weights of words and vectors for one query. Words count by the share of the query that the best
 * records contain. When the words are sufficient, vectors count by their overlap with the same records, so that an
 * ignorant model changes nothing.
 */
export function weighArms(given: {
  /** Mean share of the query, weighted by rarity, that the best records contain. 0 when no word was found. */
  coverage: number;
  /** The same as a number of words instead of a share. A word of a single record counts 1. */
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
 * The share of the best lexical results, by score, that is among the nearest vectors. 0 without lexical results.
 * @param best by words
 */
export function agreementOf(best: readonly { score: number; isNear: boolean }[]): number {
  const sum = best.reduce((all, { score }) => all + score, 0);
  const near = best.reduce((all, { score, isNear }) => all + (isNear ? score : 0), 0);
  return sum > 0 ? near / sum : 0;
}

/** 0 up to `nothing`, 1 from `fine` on, linear between them. */
export function between(value: number, { nothing, fine }: { nothing: number; fine: number }): number {
  return Math.min(Math.max((value - nothing) / (fine - nothing), 0), 1);
}
