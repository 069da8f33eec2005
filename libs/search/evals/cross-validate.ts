import { createHash } from 'node:crypto';
import type { VariantScores } from './measure-variants.js';
import { mean } from './metrics.js';
import { formatTable, formatFigure, formatChange } from './report.js';
import { PRESENT } from './variants.js';

/** Number of parts into which all queries are divided. Equal texts are always in the same part. */
const PARTS = 5;

type IsIncluded = (scores: Pick<VariantScores, 'set'>, query: string) => boolean;

interface Fold {
  name: string;
  isHeldOut: IsIncluded;
}

/** The best variant of the other folds, and its score on the held-out fold. */
export interface FoldResult {
  fold: string;
  chosen: string;
  /** Score of the current constants on the held-out fold. */
  present: number;
  reached: number;
}

/** Holds out each fifth of all queries in turn, and chooses the best variant of the other four. */
export function chooseByQueries(scores: readonly VariantScores[]): FoldResult[] {
  return choose(
    scores,
    Array.from({ length: PARTS }, (_, part) => ({
      name: `part ${part + 1}`,
      isHeldOut: (_: unknown, query: string) => partOf(query) === part,
    })),
  );
}

/** Holds out each collection of sets in turn, and chooses the best variant of the others. */
export function chooseByCollections(scores: readonly VariantScores[]): FoldResult[] {
  const names = [...new Set(scores.map(collectionOf))];
  return choose(
    scores,
    names.map((name) => ({
      name,
      isHeldOut: (one: Pick<VariantScores, 'set'>) => collectionOf(one) === name,
    })),
  );
}

function choose(scores: readonly VariantScores[], folds: readonly Fold[]): FoldResult[] {
  const variants = [...new Set(scores.map(({ variant }) => variant))];
  return folds.map(({ name, isHeldOut }) => {
    const ranked = variants
      .map((variant) => ({
        variant,
        value: objective(scores, variant, (one, query) => !isHeldOut(one, query)),
      }))
      .sort((left, right) => right.value - left.value);
    const chosen = ranked[0]?.variant ?? PRESENT;
    return {
      fold: name,
      chosen,
      present: objective(scores, PRESENT, isHeldOut),
      reached: objective(scores, chosen, isHeldOut),
    };
  });
}

/**
 * Renders the changes that each variant causes: in the mean of all collections, per part of the queries, and in the
 * tasks with the largest loss and gain.
 */
export function variantsTable(scores: readonly VariantScores[]): string {
  const variants = [...new Set(scores.map(({ variant }) => variant))];
  const present = objective(scores, PRESENT, () => true);
  const rows = variants.map((variant) => {
    const changes = Array.from({ length: PARTS }, (_, part) => {
      const isPart: IsIncluded = (_, query) => partOf(query) === part;
      return objective(scores, variant, isPart) - objective(scores, PRESENT, isPart);
    });
    const tasks = taskChanges(scores, variant).sort((left, right) => left.change - right.change);
    const [lowest, highest] = [tasks[0], tasks.at(-1)];
    const value = objective(scores, variant, () => true);
    return [
      variant,
      formatFigure(value),
      formatChange(value - present),
      `${formatChange(Math.min(...changes))} to ${formatChange(Math.max(...changes))}`,
      lowest ? `${formatChange(lowest.change)} ${lowest.name}` : '',
      highest ? `${formatChange(highest.change)} ${highest.name}` : '',
    ];
  });
  return formatTable([['variant', 'nDCG@10', 'change', 'by part', 'lowest task', 'highest task'], ...rows]);
}

export function foldsTable(results: readonly FoldResult[]): string {
  const changes = results.map(({ reached, present }) => reached - present);
  const present = results.map((one) => one.present);
  return formatTable([
    ['held out', 'best on the others', 'current', 'chosen', 'change'],
    ...results.map(({ fold, chosen, present, reached }) => [
      fold,
      chosen,
      formatFigure(present),
      formatFigure(reached),
      formatChange(reached - present),
    ]),
    [
      'mean (range)',
      '',
      `${formatFigure(mean(present))} (${formatFigure(Math.min(...present))} to ${formatFigure(Math.max(...present))})`,
      formatFigure(mean(results.map(({ reached }) => reached))),
      `${formatChange(mean(changes))} (${formatChange(Math.min(...changes))} to ${formatChange(Math.max(...changes))})`,
    ],
  ]);
}

/** Averages the tasks and arms of each collection first, so that a collection with many tasks counts once. */
function objective(scores: readonly VariantScores[], variant: string, isIncluded: IsIncluded): number {
  const collections = new Map<string, number[]>();
  for (const one of scores) {
    if (one.variant !== variant) continue;
    const included = one.scores.filter((_, index) => isIncluded(one, one.queries[index] ?? ''));
    if (included.length === 0) continue;
    const collection = collectionOf(one);
    collections.set(collection, [...(collections.get(collection) ?? []), mean(included)]);
  }
  return mean([...collections.values()].map(mean));
}

function taskChanges(scores: readonly VariantScores[], variant: string): { name: string; change: number }[] {
  return scores
    .filter((one) => one.variant === variant)
    .map(({ set, task, arm, scores: reached }) => {
      const before = scores.find(
        (one) => one.variant === PRESENT && one.set === set && one.task === task && one.arm === arm,
      );
      return { name: `${task}, ${arm}`, change: mean(reached) - mean(before?.scores ?? []) };
    });
}

/** The sets of a collection contain the same queries, so they are held out together. */
const collectionOf = ({ set }: Pick<VariantScores, 'set'>): string => set.split('-')[0] ?? set;

function partOf(query: string): number {
  return createHash('sha256').update(query).digest().readUInt32LE(0) % PARTS;
}
