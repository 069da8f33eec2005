import type { ArmName } from './arms.js';
import type { EvalTask, ImportLine, Measure } from './eval-set.js';
import { mean, score } from './metrics.js';
import type { TaskResult } from './run-set.js';

/** Loss of nDCG@10 that noise in an arm may cause. */
const NOISE_ALLOWANCE = 0.005;

export function collectFigures(results: readonly TaskResult[]) {
  return results.map((result) => ({
    task: result.task.name,
    arm: result.arm,
    queries: result.answers.length,
    figures: Object.fromEntries(
      measuresOf(result.task).map((measure) => [measure, meanScore(result, measure)]),
    ),
  }));
}

/**
 * Renders the scores beside their goals. A goal is met by its absolute value, or by the same improvement over plain
 * BM25.
 */
export function goalsTable(results: readonly TaskResult[]): string {
  const rows = tasksOf(results).flatMap((task) =>
    task.goals.map(({ measure, plain, lexical, hybrid }) => {
      const figure = figureReader(results, task, measure);
      return [
        `${task.name}, ${measure}`,
        formatFigure(figure('plain')),
        formatFigure(plain),
        formatFigure(figure('lexical')),
        goalCell(figure('lexical'), lexical, { plain, own: figure('plain') }),
        formatFigure(figure('fused')),
        goalCell(figure('fused'), hybrid, { plain, own: figure('plain') }),
        formatFigure(figure('semantic')),
      ];
    }),
  );
  return formatTable([
    [
      'measure',
      'plain BM25',
      'published',
      'no vectors',
      'goal (lift)',
      'use-lite',
      'goal (lift)',
      'semantic only',
    ],
    ...rows,
  ]);
}

/**
 * Renders the loss that noise in each arm causes: nDCG@10 of the complete search, compared with the best search
 * without this arm.
 */
export function noiseTable(results: readonly TaskResult[]): string {
  const cases: readonly { noise: ArmName; left: ArmName; isJudged?: false }[] = [
    { noise: 'noise-index', left: 'lexical' },
    { noise: 'noise-embedder', left: 'lexical' },
    { noise: 'noise-files', left: 'without-files' },
    // Another question is a valid query with other answers, not noise. This row is informative.
    { noise: 'noise-words', left: 'semantic', isJudged: false },
  ];
  const rows = tasksOf(results).map((task) => {
    const figure = figureReader(results, task, 'nDCG@10');
    const [words, meaning, all] = [figure('lexical'), figure('semantic'), figure('fused')];
    return [
      task.name,
      formatFigure(words),
      formatFigure(meaning),
      all === null || words === null || meaning === null
        ? formatFigure(all)
        : changed(all, Math.max(words, meaning)),
      ...cases.map(({ noise, left, isJudged = true }) => {
        const [noisy, best] = [figure(noise), figure(left)];
        if (noisy === null || best === null) return '';
        return isJudged ? changed(noisy, best) : `${formatFigure(noisy)} (${formatChange(noisy - best)})`;
      }),
    ];
  });
  return formatTable([
    [
      'nDCG@10',
      'lexical',
      'semantic',
      'fused and difference to the best arm',
      ...cases.map(({ noise, left }) => `${noise} compared with ${left}`),
    ],
    ...rows,
  ]);
}

function changed(reached: number, best: number): string {
  const isClose = atLeast(reached - best, -NOISE_ALLOWANCE);
  return `${formatFigure(reached)} (${formatChange(reached - best)} ${isClose ? 'ok' : 'SHORT'})`;
}

/**
 * Yields the queries with the lowest scores, with their relevant ids and their first results. Uses the fused arm if
 * it was measured.
 */
export function* listWorstQueries(
  results: readonly TaskResult[],
  lines: readonly ImportLine[],
  count: number,
): Generator<string> {
  if (count === 0) return;
  const title = new Map(
    lines.map((line) => [line.uid, excerpt(`${line.title ?? ''} ${line.narrative ?? ''}`)]),
  );
  for (const task of tasksOf(results)) {
    const result =
      results.find((one) => one.task === task && one.arm === 'fused') ??
      results.find((one) => one.task === task && one.arm === 'lexical');
    if (!result) continue;
    yield `\n## ${task.name}, ${result.arm}`;
    const worst = [...result.answers].sort((a, b) => a.score - b.score).slice(0, count);
    for (const { query, ranking, score: reached } of worst) {
      yield `${reached.toFixed(2)} ${excerpt(query.text, 200)}`;
      for (const id of query.gold.keys()) {
        const place = ranking.indexOf(id);
        yield `   relevant at ${place === -1 ? '—' : place + 1}: ${id} ${title.get(id) ?? ''}`;
      }
      for (const id of ranking.slice(0, 3)) yield `   found ${id} ${title.get(id) ?? ''}`;
    }
  }
}

function tasksOf(results: readonly TaskResult[]): EvalTask[] {
  return [...new Set(results.map(({ task }) => task))];
}

/** Returns the measures of the goals, and nDCG@10 for every task. */
export function measuresOf(task: EvalTask): Measure[] {
  return [...new Set<Measure>([...task.goals.map(({ measure }) => measure), 'nDCG@10'])];
}

function figureReader(results: readonly TaskResult[], task: EvalTask, measure: Measure) {
  return (arm: ArmName): number | null => {
    const result = results.find((one) => one.task === task && one.arm === arm);
    return result ? meanScore(result, measure) : null;
  };
}

function meanScore({ answers }: TaskResult, measure: Measure): number {
  return mean(answers.map(({ query, ranking }) => score(measure, ranking, query.gold)));
}

/**
 * The published figures were measured on other extracts of the data. Therefore the improvement over plain BM25 on the
 * same records counts too.
 */
function goalCell(
  reached: number | null,
  goal: number | null,
  { plain, own }: { plain: number | null; own: number | null },
): string {
  if (goal === null) return '';
  if (reached === null) return goal.toFixed(3);
  const isReached = atLeast(reached, goal);
  if (plain === null || own === null) return `${goal.toFixed(3)} ${isReached ? 'ok' : 'SHORT'}`;
  const lift = `${formatChange(reached - own)} of ${formatChange(goal - plain)}`;
  return `${goal.toFixed(3)} ${isReached ? 'ok' : 'SHORT'} (${lift} ${atLeast(reached - own, goal - plain) ? 'ok' : 'SHORT'})`;
}

/** Compares the values as printed, with three digits. */
function atLeast(reached: number, goal: number): boolean {
  return Math.round(reached * 1_000) >= Math.round(goal * 1_000);
}

export function formatChange(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(3)}`;
}

export function formatFigure(value: number | null): string {
  return value === null ? '' : value.toFixed(3);
}

function excerpt(text: string, length = 120): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, length);
}

/** Formats rows as a text table. The first row contains the column names. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(' | ')
      .trimEnd(),
  );
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('-|-'));
  return lines.join('\n');
}
