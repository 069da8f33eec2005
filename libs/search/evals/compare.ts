import { createHash } from 'node:crypto';
import { mean, score } from './metrics.js';
import { formatTable, measuresOf, formatFigure, formatChange } from './report.js';
import type { EvalQuery, EvalTask } from './eval-set.js';
import type { TaskResult } from './run-set.js';

/** The score of each query of a task, for one measure and one arm, as saved with `--keep`. */
export interface SavedScores {
  task: string;
  arm: string;
  measure: string;
  scores: readonly number[];
}

export function scoresOf(results: readonly TaskResult[]): SavedScores[] {
  return results.flatMap(({ task, arm, answers }) =>
    measuresOf(task).map((measure) => ({
      task: task.name,
      arm,
      measure,
      scores: answers.map(({ query, ranking }) => score(measure, ranking, query.gold)),
    })),
  );
}

/**
 * Renders the changes since the scores were saved, for all queries and for each fold. An improvement in only one fold
 * can be chance. `sign test` is the probability of so clear a result by chance. Rows with unknown or other queries
 * are skipped.
 */
export function comparisonTable(results: readonly TaskResult[], before: readonly SavedScores[]): string {
  const tasks = new Map(results.map(({ task }) => [task.name, task]));
  const rows = scoresOf(results).flatMap((now) => {
    const task = tasks.get(now.task);
    const kept = before.find(
      ({ task: name, arm, measure }) => name === now.task && arm === now.arm && measure === now.measure,
    );
    if (!task || kept?.scores.length !== now.scores.length) return [];
    const changes = now.scores.map((value, index) => value - (kept.scores[index] ?? 0));
    const better = changes.filter((change) => change > 0).length;
    const worse = changes.filter((change) => change < 0).length;
    return [
      [
        `${now.task}, ${now.measure}`,
        now.arm,
        formatFigure(mean(kept.scores)),
        formatFigure(mean(now.scores)),
        formatChange(mean(changes)),
        splitFolds(task)
          .map((fold) => formatChange(mean(fold.map((index) => changes[index] ?? 0))))
          .join(' '),
        `${better}/${worse}`,
        signTest(better, worse).toFixed(2),
      ],
    ];
  });
  return formatTable([
    ['measure', 'arm', 'saved', 'now', 'change', 'by fold', 'better/worse', 'sign test'],
    ...rows,
  ]);
}

/**
 * Returns the indexes of the queries in each fold. Each project is a fold. A single project is divided into two
 * halves by a hash.
 */
export function splitFolds({ queries }: Pick<EvalTask, 'queries'>): number[][] {
  const isOneProject = new Set(queries.map(({ project }) => project)).size < 2;
  const folds = new Map<string, number[]>();
  for (const [index, query] of queries.entries()) {
    const name = isOneProject ? halfOf(query) : query.project;
    folds.set(name, [...(folds.get(name) ?? []), index]);
  }
  return [...folds].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, fold]) => fold);
}

/** Returns the two-sided p-value of the sign test. */
export function signTest(better: number, worse: number): number {
  const all = better + worse;
  let logOfWays = 0;
  let tail = 0;
  for (let heads = 0; heads <= Math.min(better, worse); heads += 1) {
    tail += Math.exp(logOfWays - all * Math.LN2);
    logOfWays += Math.log((all - heads) / (heads + 1));
  }
  return Math.min(1, 2 * tail);
}

function halfOf({ text }: EvalQuery): string {
  return String(createHash('sha256').update(text).digest().readUInt8(0) % 2);
}
