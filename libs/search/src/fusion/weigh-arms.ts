/** What a query's words and its meaning count. */
export interface ArmWeights {
  words: number;
  meaning: number;
}

/** Words alone, as where their own syntax is asked for. */
export const WORDS_ALONE: ArmWeights = { words: 1, meaning: 0 };

/** Below this share of the query in the best records its words say next to nothing, and above the other they are fine. */
const COVERAGE = { nothing: 0.1, fine: 0.3 };
/** Of meaning beside words that are fine, and of words that say next to nothing. */
const BESIDE = { meaning: 0.15, words: 0.2 };
/** What one agreement can count at most. */
const MOST_AGREEMENT = 5;

/**
 * How far to believe words and vectors for one query. Words count by how much of the query the best of them cover; vectors, where
 * the words are fine, by how much better than chance they agree with them, so that a model that knows nothing changes nothing.
 */
export function weighArms(given: {
  /** Mean share of the query, by rareness, that stands in the best records; 0 when no word was found. */
  coverage: number;
  agreement: number;
}): ArmWeights {
  const { nothing, fine } = COVERAGE;
  const trust = clamp((given.coverage - nothing) / (fine - nothing));
  const confidence = clamp(given.agreement - 1);
  return {
    words: trust + (1 - trust) * BESIDE.words,
    meaning: trust * BESIDE.meaning * confidence + (1 - trust),
  };
}

/**
 * How much nearer to the query than chance the records are that words found: 1 by chance, more when the vectors agree.
 * @param best by words: the score of each, and its place (from 1) among the records by nearness, null beyond the nearest
 */
export function agreementOf(
  best: readonly { score: number; place: number | null }[],
  counts: { nearest: number; all: number },
): number {
  const all = Math.max(counts.all, counts.nearest, 1);
  const share = Math.min(1, counts.nearest / all);
  const beyond = share >= 1 || share === 0 ? 0 : (1 - share + share * Math.log(share)) / (1 - share);
  let sum = 0;
  let weight = 0;
  for (const { score, place } of best) {
    const value = place === null ? beyond : Math.min(MOST_AGREEMENT, -Math.log((place - 0.5) / all));
    sum += score * value;
    weight += score;
  }
  return weight > 0 ? sum / weight : 1;
}

const clamp = (value: number) => Math.min(Math.max(value, 0), 1);
