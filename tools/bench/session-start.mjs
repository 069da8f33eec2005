// Measures context injection: the time of the complete hook process at the start of a session, after a file read, and
// for a prompt, and the memory of the worker.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { claudePayloads, createTempHome, startWorker, workspacePaths } from '@claude-mem/testing';
import { mib, p50And95, p95, residentBytes, row } from './figures.mjs';
import { syntheticObservations } from './synthetic-observations.mjs';
import { searchHome } from './search-home.mjs';
import { runMeasurements, sampleRow, Samples } from './samples.mjs';
import { syntheticMemory } from './search-synthetic-memory.mjs';

const RUNS = 100;
const WARM_UP_RUNS = 5;
const TIMEOUT_MS = 30_000;
const LOOKUP_BUDGET_MS = 300;
const MIB = 2 ** 20;
/** Budget in MiB for additional memory while the embedder creates all vectors of a memory. */
const EMBEDDER_MIB = 60;
const NO_EMBEDDER = { CLAUDE_MEM_EMBEDDER: 'none', CLAUDE_MEM_RECALL_ON_PROMPT: 'true' };
/** Name of the largest project in the memory of the search bench. */
const PROJECT = '/repos/project-0';
/** One prompt is created for each group of this many records of the project. */
const RECORDS_PER_PROMPT = 20;

/**
 * Measures context injection.
 * @param seeded homes by size, the largest last
 */
export function benchSessionStart(seeded, options) {
  const { home, observations } = seeded.at(-1);
  const runs = options.scale(RUNS);
  options.report('session start');
  return runMeasurements([
    ['SessionStart', () => benchStarts(seeded, runs)],
    ['file history with a Read', () => benchWithoutEmbedder(home, observations, runs)],
    ['recall for a prompt', () => benchRecall(observations, runs, options)],
  ]);
}

async function benchStarts(seeded, runs) {
  const workers = [];
  try {
    for (const { home } of seeded) workers.push(await startWorker(home));
    await settle();
    const idle = residentBytes(workers[0].pid);
    const samples = seeded.map(() => new Samples());
    for (let index = -WARM_UP_RUNS; index < runs; index += 1) {
      for (const [which, { home, observations }] of seeded.entries())
        await samples[which].add(() => timeOfStart(home, observations), { isWarmUp: index < 0 });
    }
    await settle();
    const large = residentBytes(workers.at(-1).pid);
    return [
      ...seeded.map(({ observations }, which) =>
        sampleRow(`SessionStart, ${formatSize(observations)}`, samples[which], {
          format: p50And95,
          budget: 'p95 60 ms',
          isWithin: (times) => p95(times) <= 60,
        }),
      ),
      row('resident memory, idle, empty memory', mib(idle), '70 MiB', idle <= 70 * MIB),
      row(
        `resident memory, ${formatSize(seeded.at(-1).observations)}, while the embedder creates vectors`,
        mib(large),
        `160 + ${EMBEDDER_MIB} MiB`,
        large <= (160 + EMBEDDER_MIB) * MIB,
      ),
    ];
  } finally {
    for (const worker of workers) await worker[Symbol.asyncDispose]();
  }
}

/** Measures the memory of the worker after many starts, and the file history with a Read. */
async function benchWithoutEmbedder(home, observations, runs) {
  const worker = await startWorker(home, { env: NO_EMBEDDER });
  try {
    const starts = new Samples();
    for (let index = 0; index < runs; index += 1) await starts.add(() => timeOfStart(home, observations));
    await settle();
    const resident = residentBytes(worker.pid);
    const history = new Samples();
    let index = -WARM_UP_RUNS;
    for (const { filesRead } of syntheticObservations(runs + WARM_UP_RUNS)) {
      const payloads = claudePayloads({ cwd: home.project });
      const file = path.join(home.project, filesRead[0]);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, '');
      const read = payloads.toolUse({ name: 'Read', input: { file_path: file } });
      await history.add(() => fire(home, 'FileRead', read), { isWarmUp: index < 0 });
      index += 1;
    }
    return [
      lookupRow(`file history with a Read, ${formatSize(observations)}`, history),
      sampleRow(`resident memory, ${formatSize(observations)}, after ${runs} starts`, starts, {
        format: () => mib(resident),
        budget: '160 MiB',
        isWithin: () => resident <= 160 * MIB,
      }),
    ];
  } finally {
    await worker[Symbol.asyncDispose]();
  }
}

/** Sends prompts that are each about one record of a memory with a realistic word distribution. */
async function benchRecall(observations, runs, { report, isFresh }) {
  const { dataDir, size } = await searchHome(observations, { report, isFresh });
  const home = await createTempHome();
  mkdirSync(home.dataDir, { mode: 0o700 });
  copyFileSync(path.join(dataDir, 'claude-mem.db'), path.join(home.dataDir, 'claude-mem.db'));
  const worker = await startWorker(home, { env: NO_EMBEDDER });
  try {
    await settle();
    const samples = new Samples();
    let index = -WARM_UP_RUNS;
    let records = 0;
    for (const { project, title } of syntheticMemory(size)) {
      if (index === runs) break;
      if (project !== PROJECT || records++ % RECORDS_PER_PROMPT !== 0) continue;
      const prompt = claudePayloads({ cwd: PROJECT }).prompt(`Why was it so: ${title}`);
      await samples.add(() => fire(home, 'UserPromptSubmit', prompt, PROJECT), { isWarmUp: index < 0 });
      index += 1;
    }
    return [lookupRow(`recall for a prompt, ${formatSize(observations)}`, samples)];
  } finally {
    await worker[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  }
}

/** Creates the row of hooks that inject nothing when they time out. */
function lookupRow(measure, samples) {
  const timesOf = (runs) => runs.map(({ took }) => took);
  const injected = samples.values.filter(({ context }) => context !== '').length;
  return sampleRow(measure, samples, {
    format: (runs) => `${p50And95(timesOf(runs))}, ${injected} of ${runs.length} with context`,
    budget: `p95 ${LOOKUP_BUDGET_MS} ms`,
    isWithin: (runs) => p95(timesOf(runs)) <= LOOKUP_BUDGET_MS,
  });
}

const formatSize = (observations) => `${observations.toLocaleString('en')} observations`;

function timeOfStart(home, observations) {
  const { took, context } = fire(home, 'SessionStart', claudePayloads({ cwd: home.project }).sessionStart());
  if (observations > 0 && !context) throw new Error(`no context at ${formatSize(observations)}`);
  return took;
}

function fire(home, event, payload, folder = home.project) {
  const input = JSON.stringify({ ...payload, hook_event_name: event });
  const env = { ...home.env, CLAUDE_PROJECT_DIR: folder };
  const started = performance.now();
  const run = spawnSync('sh', [workspacePaths.hookScript, 'claude-code', event], {
    input,
    cwd: home.project,
    env,
    timeout: TIMEOUT_MS,
  });
  const took = performance.now() - started;
  if (run.error) throw run.error;
  if (run.status !== 0) throw new Error(`${event}: exit ${run.status}, ${run.stdout}${run.stderr}`);
  const context = JSON.parse(run.stdout.toString() || '{}').hookSpecificOutput?.additionalContext ?? '';
  return { took, context };
}

/** Memory is measured two seconds after the last request. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 2_000));
