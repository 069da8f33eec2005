import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvalSet } from './eval-set.js';

/**
 * Writes `NAME.jsonl` for the import and `NAME.queries.json`, which contains the queries for single records with
 * their grades by uid.
 */
export function exportSet({ name, lines, tasks }: EvalSet, folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const queries = tasks
    .filter(({ unit }) => unit === 'observation')
    .flatMap((task) => task.queries)
    .map(({ gold, ...query }) => ({ ...query, gold: Object.fromEntries(gold) }));
  writeFileSync(join(folder, `${name}.queries.json`), JSON.stringify(queries));
}
