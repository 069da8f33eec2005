import { createHash } from 'node:crypto';
import type { VariantScores } from './measure-variants.js';
import { mean } from './metrics.js';
import { asTable, shown, signed } from './report.js';
import { PRESENT } from './variants.js';

/** Parts into which the queries of all sets are divided. The same text is always in the same part. */
const PARTS = 5;

type IsIncluded = (scores: Pick<VariantScores, 'set'>, query: string) => boolean;

interface Fold {
  name: string;
  isHeldOut: IsIncluded;
}

/** The variant that is best on the other folds, and what it reaches on a fold that it was not chosen on. */
export interface FoldResult {
  fold: string;
  chosen: string;
  /** What the present constants reach on the fold. */
  present: number;
  reached: number;
}

/** Chooses for each fifth of all queries among the variants, by the other four fifths. */
export function chooseByQueries(scores: readonly VariantScores[]): FoldResult[] {
  return choose(
    scores,
    Array.from({ length: PARTS }, (_, part) => ({
      name: `part ${part + 1}`,
      isHeldOut: (_: unknown, query: string) => partOf(query) === part,
    })),
  );
}

/** Chooses for each collection of sets among the variants, by the other collections. */
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

/** What each variant changes: in the mean over all collections, by fifth of the queries, and in the tasks that lose and gain most. */
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
      shown(value),
      signed(value - present),
      `${signed(Math.min(...changes))} to ${signed(Math.max(...changes))}`,
      lowest ? `${signed(lowest.change)} ${lowest.name}` : '',
      highest ? `${signed(highest.change)} ${highest.name}` : '',
    ];
  });
  return asTable([['variant', 'nDCG@10', 'change', 'by part', 'lowest task', 'highest task'], ...rows]);
}

/** One line per fold, then the mean and the range. */
export function foldsTable(results: readonly FoldResult[]): string {
  const changes = results.map(({ reached, present }) => reached - present);
  const present = results.map((one) => one.present);
  return asTable([
    ['held out', 'chosen on the others', 'present', 'chosen', 'change'],
    ...results.map(({ fold, chosen, present, reached }) => [
      fold,
      chosen,
      shown(present),
      shown(reached),
      signed(reached - present),
    ]),
    [
      'mean (range)',
      '',
      `${shown(mean(present))} (${shown(Math.min(...present))} to ${shown(Math.max(...present))})`,
      shown(mean(results.map(({ reached }) => reached))),
      `${signed(mean(changes))} (${signed(Math.min(...changes))} to ${signed(Math.max(...changes))})`,
    ],
  ]);
}

/** The mean over collections of the mean over their tasks and arms, so that a collection with many tasks counts once. */
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

/** Sets of one collection have the same queries, so they are held out together. */
const collectionOf = ({ set }: Pick<VariantScores, 'set'>): string => set.split('-')[0] ?? set;

function partOf(query: string): number {
  return createHash('sha256').update(query).digest().readUInt32LE(0) % PARTS;
}
