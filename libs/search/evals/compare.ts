import { createHash } from 'node:crypto';
import { mean, score } from './metrics.js';
import { asTable, measuresOf, shown, signed } from './report.js';
import type { EvalQuery, EvalTask } from './eval-set.js';
import type { TaskResult } from './run-set.js';

/** What each query of a task reached by one measure in one arm, as it is kept in a file. */
export interface KeptScores {
  task: string;
  arm: string;
  measure: string;
  scores: readonly number[];
}

export function scoresOf(results: readonly TaskResult[]): KeptScores[] {
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
 * What changed since the scores were kept, for all queries and for each fold of them: a gain that only one fold shows is no gain.
 * `sign test` is how often chance alone would make one side win as clearly. What was not kept, or for other queries, is left out.
 */
export function comparisonTable(results: readonly TaskResult[], before: readonly KeptScores[]): string {
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
        shown(mean(kept.scores)),
        shown(mean(now.scores)),
        signed(mean(changes)),
        foldsOf(task)
          .map((fold) => signed(mean(fold.map((index) => changes[index] ?? 0))))
          .join(' '),
        `${better}/${worse}`,
        signTest(better, worse).toFixed(2),
      ],
    ];
  });
  return asTable([
    ['measure', 'arm', 'kept', 'now', 'change', 'by fold', 'better/worse', 'sign test'],
    ...rows,
  ]);
}

/** The places of the queries of each fold: a project each, or two halves by chance where there is one project. */
export function foldsOf({ queries }: Pick<EvalTask, 'queries'>): number[][] {
  const isOneProject = new Set(queries.map(({ project }) => project)).size < 2;
  const folds = new Map<string, number[]>();
  for (const [index, query] of queries.entries()) {
    const name = isOneProject ? halfOf(query) : query.project;
    folds.set(name, [...(folds.get(name) ?? []), index]);
  }
  return [...folds].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, fold]) => fold);
}

/** How likely fair coins are at least as uneven as this. */
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
