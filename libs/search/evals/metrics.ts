import type { Measure } from './eval-set.js';

/**
 * Returns the score of a ranking, from 0 to 1.
 * @param ranking ids, best first, without repetitions
 */
export function score(
  measure: Measure,
  ranking: readonly string[],
  gold: ReadonlyMap<string, number>,
): number {
  switch (measure) {
    case 'R@5':
      return recall(ranking, gold, 5);
    case 'R@10':
      return recall(ranking, gold, 10);
    case 'strict@10':
      return recall(ranking, gold, 10) === 1 ? 1 : 0;
    case 'any@10':
      return recall(ranking, gold, 10) > 0 ? 1 : 0;
    case 'acc@5':
      return recall(ranking, gold, 5) > 0 ? 1 : 0;
    case 'MRR':
      return reciprocalRank(ranking, gold);
    case 'nDCG@10':
      return ndcg(ranking, gold, 10);
  }
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns the share of the relevant ids among the first `k` results. */
function recall(ranking: readonly string[], gold: ReadonlyMap<string, number>, k: number): number {
  return ranking.slice(0, k).filter((id) => gold.has(id)).length / gold.size;
}

function reciprocalRank(ranking: readonly string[], gold: ReadonlyMap<string, number>): number {
  const place = ranking.findIndex((id) => gold.has(id));
  return place === -1 ? 0 : 1 / (place + 1);
}

/** Uses the grades as gains without an exponent, and divides the sum by that of the best possible order. */
function ndcg(ranking: readonly string[], gold: ReadonlyMap<string, number>, k: number): number {
  const gain = (grades: readonly number[]) =>
    grades.slice(0, k).reduce((sum, grade, index) => sum + grade / Math.log2(index + 2), 0);
  const best = gain([...gold.values()].sort((a, b) => b - a));
  return gain(ranking.map((id) => gold.get(id) ?? 0)) / best;
}
