// npm run eval [-- search [options]]: how well memories are found, on the public sets beside the project.
//   --set NAME…   only these sets             --arm NAME…    only these arms
//   --no-vectors  words only, quick           --worst N      the N queries of each task that went worst
//   --json        figures for a program
//   --keep FILE   keeps what each query reached, for a later run to compare with
//   --against FILE  what changed since it was kept, for all queries and by fold
//   --export DIR  measures nothing and writes the sets there: records as the JSONL import reads them, and the queries
// It exits with 1 only when something could not be measured; what falls short of a goal is shown, not failed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createUseLiteEmbedder } from '../src/embedders/use-lite/index.js';
import { ARM_NAMES, type ArmName } from './arms.js';
import { createCachedEmbedder } from './cached-embedder.js';
import { comparisonTable, scoresOf, type KeptScores } from './compare.js';
import { exportSet } from './export-set.js';
import { figuresOf, goalsTable, noiseTable, worstOf } from './report.js';
import { runSet, type TaskResult } from './run-set.js';
import { EVAL_SETS } from './sets/index.js';
import { sharedFolder } from './shared-data.js';

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
    export: { type: 'string' },
  },
});

const shared = sharedFolder();
const unknown = [
  ...values.set.filter((name) => !Object.hasOwn(EVAL_SETS, name)),
  ...values.arm.filter((name) => !isArm(name)),
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
  await measure(shared);
}

async function measure(folder: string): Promise<void> {
  await using model = createUseLiteEmbedder();
  const embedder = values['no-vectors']
    ? null
    : createCachedEmbedder(model, { folder: CACHE, dimensions: USE_LITE_DIMENSIONS });
  const results: TaskResult[] = [];
  for (const name of values.set) {
    const started = performance.now();
    const say = (text: string) =>
      process.stderr.write(`… ${name}, ${text} (${((performance.now() - started) / 1_000).toFixed(0)} s)\n`);
    try {
      const set = await EVAL_SETS[name]?.(folder);
      if (!set) continue;
      say(`${set.lines.length} records`);
      const found = await runSet(set, { arms: values.arm.filter(isArm), embedder, onArm: say });
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
