// npm run eval [-- search [options]]: how well memories are found, on the public sets beside the project.
//   --set NAME…   only these sets             --arm NAME…    only these arms
//   --no-vectors  words only, quick           --worst N      the N queries of each task that went worst
//   --json        figures for a program
//   --keep FILE   keeps what each query reached, for a later run to compare with
//   --against FILE  what changed since it was kept, for all queries and by fold
//   --cross-validate FILE  measures variants of the constants, keeps their scores in FILE, and chooses among them by cross-validation
//   --variant NAME…  with --cross-validate: only these variants
//   --export DIR  measures nothing and writes the sets there: records as the JSONL import reads them, and the queries
// It exits with 1 only when something could not be measured; what falls short of a goal is shown, not failed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createUseLiteEmbedder } from '../src/embedders/use-lite/index.js';
import { ARM_NAMES, type ArmName } from './arms.js';
import type { Embedder } from '../src/ports/embedder.js';
import { createCachedEmbedder } from './cached-embedder.js';
import { comparisonTable, scoresOf, type KeptScores } from './compare.js';
import { chooseByCollections, chooseByQueries, foldsTable, variantsTable } from './cross-validate.js';
import { exportSet } from './export-set.js';
import { measureVariants, type VariantScores } from './measure-variants.js';
import { figuresOf, goalsTable, noiseTable, worstOf } from './report.js';
import { runSet, type TaskResult } from './run-set.js';
import { EVAL_SETS } from './sets/index.js';
import { sharedFolder } from './shared-data.js';
import { isOfVectors, VARIANTS } from './variants.js';

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
  console.log('search: skipped, the shared sets are not beside the project (set CLAUDE_MEM_SHARED)');
} else if (unknown.length > 0) {
  console.error(
    `unknown ${unknown.join(', ')}; sets are ${Object.keys(EVAL_SETS).join(', ')}; arms are ${ARM_NAMES.join(', ')}`,
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

/** Scores that the file contains are not measured again: remove the file when the ranking or the sets have changed. */
async function crossValidate(folder: string, embedder: Embedder | null, file: string): Promise<void> {
  const scores = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as VariantScores[]) : [];
  for (const name of values.set) {
    const known = new Set(scores.filter(({ set }) => set === name).map(({ variant }) => variant));
    const variants = values.variant.filter(
      (variant) => !known.has(variant) && (embedder !== null || !isOfVectors(variant)),
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
      for (const line of worstOf(found, set.lines, Number(values.worst))) console.log(line);
    } catch (error) {
      console.error(`${name} could not be measured: ${error instanceof Error ? error.stack : String(error)}`);
      process.exitCode = 1;
    }
  }
  if (values.keep !== undefined) writeFileSync(values.keep, JSON.stringify(scoresOf(results)));
  if (values.against !== undefined) {
    console.log(comparisonTable(results, JSON.parse(readFileSync(values.against, 'utf8')) as KeptScores[]));
    return;
  }
  if (values.json) {
    console.log(JSON.stringify(figuresOf(results), null, 2));
    return;
  }
  console.log(goalsTable(results));
  if (!values['no-vectors']) console.log(`\n${noiseTable(results)}`);
}

function isArm(name: string): name is ArmName {
  return ARM_NAMES.some((arm) => arm === name);
}
