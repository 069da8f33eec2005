import { Samples } from '../bench/samples.mjs';

export interface Row {
  measure: string;
  figure: number;
  /** The values on which the figure is based. */
  of: string;
  goal: number | null;
  /** True if the goal is a maximum, false if it is a minimum. */
  isUpperLimit?: boolean;
}

type Goal = Partial<Pick<Row, 'goal' | 'isUpperLimit'>>;

/**
 * Runs one part of an eval. Reports missed samples, or the error that ended the part. The next part still runs. The exit code
 * of the program is 1 when the part ended with an error or all of its samples were missed.
 */
export async function runPart(name: string, part: (samples: Samples) => Promise<void>): Promise<void> {
  const samples = new Samples();
  try {
    await part(samples);
    if (samples.formatMissed() === '') return;
    console.error(`${name}: ${samples.formatMissed()}`);
    if (samples.values.length === 0) process.exitCode = 1;
  } catch (error) {
    console.error(`${name} could not be measured:`, error);
    process.exitCode = 1;
  }
}

/** Formats a share. If the total is 0, the share is 0. */
export function share(measure: string, part: number, complete: number, goal: Goal = {}): Row {
  const figure = complete > 0 ? part / complete : 0;
  return { measure, figure, of: `${part} of ${complete}`, goal: null, ...goal };
}

export function quantile(numbers: readonly number[], share: number): number {
  return [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length * share)] ?? 0;
}

/** Formats rows as a table, with a verdict for each goal. */
export function formatTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => [row.measure, row.figure.toFixed(3), row.of, formatGoal(row)]);
  const all = [['measure', 'figure', 'made of', 'goal'], ...cells];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(' | ')
        .trimEnd(),
    )
    .join('\n');
}

function formatGoal({ figure, goal, isUpperLimit = false }: Row): string {
  if (goal === null) return '';
  if (isUpperLimit) return `at most ${goal.toFixed(2)} ${figure <= goal ? 'ok' : 'OVER'}`;
  return `${goal.toFixed(2)} ${figure >= goal ? 'ok' : 'SHORT'}`;
}
