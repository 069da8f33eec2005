// npm run eval [-- search [options]]: measures the search quality on the public data sets beside the project.
//   --set NAME…   only these sets             --arm NAME…    only these arms
//   --no-vectors  lexical search only, fast   --worst N      prints the N queries with the lowest scores per task
//   --json        prints the figures as JSON
//   --keep FILE   saves the score of each query, for a later comparison
//   --against FILE  compares with saved scores, for all queries and by fold
//   --cross-validate FILE  measures variants of the constants, saves their scores in FILE, and cross-validates the choice
//   --variant NAME…  with --cross-validate: only these variants
//   --export DIR  measures nothing; writes the sets to DIR: records as JSONL for the import, and the queries
// The exit code is 1 only when something could not be measured. A score below its goal does not change it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createUseLiteEmbedder } from '../src/embedders/use-lite/index.js';
import { ARM_NAMES, type ArmName } from './arms.js';
import type { Embedder } from '../src/ports/embedder.js';
import { createCachedEmbedder } from './cached-embedder.js';
import { comparisonTable, scoresOf, type SavedScores } from './compare.js';
import { chooseByCollections, chooseByQueries, foldsTable, variantsTable } from './cross-validate.js';
import { exportSet } from './export-set.js';
import { measureVariants, type VariantScores } from './measure-variants.js';
import { collectFigures, goalsTable, noiseTable, listWorstQueries } from './report.js';
import { runSet, type TaskResult } from './run-set.js';
import { EVAL_SETS } from './sets/index.js';
import { sharedFolder } from './shared-data.js';
import { affectsOnlyVectors, VARIANTS } from './variants.js';

const CACHE = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'claude-mem-evals');
const USE_LITE_DIMENSIONS = 512;

const { values } = parseArgs({
  options: {
    set: { type: 'string', multiple: true, default: Object.keys(EVAL_SETS) },
    arm: { type: 'string', multiple: true, default: [...ARM_NAMES] },
    'no-vectors': { type: 'boolean', default: false },
    worst: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
    keep: { type: 'string' },
    against: { type: 'string' },
    'cross-validate': { type: 'string' },
    variant: { type: 'string', multiple: true, default: Object.keys(VARIANTS) },
    export: { type: 'string' },
  },
});

const shared = sharedFolder();
const unknown = [
  ...values.set.filter((name) => !Object.hasOwn(EVAL_SETS, name)),
  ...values.arm.filter((name) => !isArm(name)),
  ...values.variant.filter((name) => !Object.hasOwn(VARIANTS, name)),
];
if (shared === null) {
  console.log(
    'search: skipped, because ../shared/data does not exist. Set CLAUDE_MEM_SHARED to the folder of the data sets.',
  );
} else if (unknown.length > 0) {
  console.error(
    `Unknown name: ${unknown.join(', ')}. Sets: ${Object.keys(EVAL_SETS).join(', ')}; arms: ${ARM_NAMES.join(', ')}`,
  );
  process.exitCode = 2;
} else if (values.export !== undefined) {
  for (const name of values.set) {
    const set = await EVAL_SETS[name]?.(shared);
    if (set) exportSet(set, values.export);
  }
} else {
  await using model = createUseLiteEmbedder();
  const embedder = values['no-vectors']
    ? null
    : createCachedEmbedder(model, { folder: CACHE, dimensions: USE_LITE_DIMENSIONS });
  if (values['cross-validate'] === undefined) await measure(shared, embedder);
  else await crossValidate(shared, embedder, values['cross-validate']);
}

/**
 * Skips variants whose scores the file already contains. Delete the file after a change of the ranking or of the
 * sets.
 */
async function crossValidate(folder: string, embedder: Embedder | null, file: string): Promise<void> {
  const scores = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as VariantScores[]) : [];
  for (const name of values.set) {
    const known = new Set(scores.filter(({ set }) => set === name).map(({ variant }) => variant));
    const variants = values.variant.filter(
      (variant) => !known.has(variant) && (embedder !== null || !affectsOnlyVectors(variant)),
    );
    const set = variants.length > 0 ? await EVAL_SETS[name]?.(folder) : undefined;
    if (!set) continue;
    for await (const found of measureVariants(set, { embedder, variants })) {
      process.stderr.write(`… ${name}, ${found[0]?.variant}\n`);
      scores.push(...found);
      writeFileSync(file, JSON.stringify(scores));
    }
  }
  const current = scores.filter(
    ({ variant, set }) => values.variant.includes(variant) && values.set.includes(set),
  );
  for (const table of [
    variantsTable(current),
    foldsTable(chooseByQueries(current)),
    foldsTable(chooseByCollections(current)),
  ])
    console.log(`${table}\n`);
}

async function measure(folder: string, embedder: Embedder | null): Promise<void> {
  const results: TaskResult[] = [];
  for (const name of values.set) {
    const started = performance.now();
    const print = (text: string) =>
      process.stderr.write(`… ${name}, ${text} (${((performance.now() - started) / 1_000).toFixed(0)} s)\n`);
    try {
      const set = await EVAL_SETS[name]?.(folder);
      if (!set) continue;
      print(`${set.lines.length} records`);
      const found = await runSet(set, { arms: values.arm.filter(isArm), embedder, onArm: print });
      results.push(...found);
      for (const line of listWorstQueries(found, set.lines, Number(values.worst))) console.log(line);
    } catch (error) {
      console.error(`${name} could not be measured: ${error instanceof Error ? error.stack : String(error)}`);
      process.exitCode = 1;
    }
  }
  if (values.keep !== undefined) writeFileSync(values.keep, JSON.stringify(scoresOf(results)));
  if (values.against !== undefined) {
    console.log(comparisonTable(results, JSON.parse(readFileSync(values.against, 'utf8')) as SavedScores[]));
    return;
  }
  if (values.json) {
    console.log(JSON.stringify(collectFigures(results), null, 2));
    return;
  }
  console.log(goalsTable(results));
  if (!values['no-vectors']) console.log(`\n${noiseTable(results)}`);
}

function isArm(name: string): name is ArmName {
  return ARM_NAMES.some((arm) => arm === name);
}
