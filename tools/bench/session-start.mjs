// The start of a session, whole hook process, with memories of different sizes, and what is asked within one; and the memory
// that the worker takes meanwhile.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { claudePayloads, createTempHome, startWorker, workspacePaths } from '@claude-mem/testing';
import { mib, p50And95, p95, residentBytes, row } from './figures.mjs';
import { madeUpObservations } from './made-up-observations.mjs';
import { searchHome } from './search-home.mjs';
import { madeUpMemory } from './search-made-up-memory.mjs';

const RUNS = 100;
const MIB = 2 ** 20;
/** What the embedder may take on top while it makes vectors, which it does for a memory that has none yet. */
const EMBEDDER_MIB = 60;
const NO_EMBEDDER = { CLAUDE_MEM_EMBEDDER: 'none', CLAUDE_MEM_RECALL_ON_PROMPT: 'true' };
/** The largest of the memory that search is measured with. */
const PROJECT = '/repos/project-0';
/** Of so many of its records one is asked about. */
const ASKED = 20;

/** @param seeded homes by size, as `createSeededHome` gives them */
export async function benchSessionStart(seeded, { say, isFresh }) {
  const { home, observations } = seeded.at(-1);
  const size = `${observations.toLocaleString('en')} observations`;
  const { idle, large, times } = await startSessions(seeded);
  const { resident, history } = await askWithoutEmbedder(home, observations);
  const recall = await askForPrompts(await searchHome(observations, { say, isFresh }));
  return [
    ...seeded.map(({ observations: count }, which) =>
      row(
        `SessionStart, ${count.toLocaleString('en')} observations`,
        p50And95(times[which]),
        'p95 60 ms',
        p95(times[which]) <= 60,
      ),
    ),
    row(`file history before a Read, ${size}`, ...inTime(history, 300)),
    row(`recall for a prompt, ${size}`, ...inTime(recall, 300)),
    row('resident memory, idle, empty memory', mib(idle), '70 MiB', idle <= 70 * MIB),
    row(`resident memory, ${size}, after ${RUNS} starts`, mib(resident), '160 MiB', resident <= 160 * MIB),
    row(
      '  the same while the embedder makes vectors',
      mib(large),
      `160 + ${EMBEDDER_MIB} MiB`,
      large <= (160 + EMBEDDER_MIB) * MIB,
    ),
  ];
}

async function startSessions(seeded) {
  const workers = [];
  try {
    for (const { home } of seeded) workers.push(await startWorker(home));
    await settle();
    const idle = residentBytes(workers[0].pid);
    const times = seeded.map(() => []);
    for (let index = -5; index < RUNS; index += 1) {
      for (const [which, { home, observations }] of seeded.entries()) {
        const took = timeOfStart(home, observations);
        if (index >= 0) times[which].push(took);
      }
    }
    await settle();
    return { idle, large: residentBytes(workers.at(-1).pid), times };
  } finally {
    for (const worker of workers) await worker[Symbol.asyncDispose]();
  }
}

/** Starts, and then what a session asks of the history of a file. */
async function askWithoutEmbedder(home, observations) {
  const worker = await startWorker(home, { env: NO_EMBEDDER });
  try {
    for (let index = 0; index < RUNS; index += 1) timeOfStart(home, observations);
    await settle();
    const resident = residentBytes(worker.pid);
    const history = [];
    for (const { filesRead } of [...madeUpObservations(RUNS + 5)]) {
      const payloads = claudePayloads({ cwd: home.project });
      const file = path.join(home.project, filesRead[0]);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, '');
      history.push(fire(home, 'PreToolUse', payloads.toolUse({ name: 'Read', input: { file_path: file } })));
    }
    return { resident, history: history.slice(5) };
  } finally {
    await worker[Symbol.asyncDispose]();
  }
}

/** Prompts on the matter of a record each, in a memory whose words are as rare as words are. */
async function askForPrompts({ dataDir, size }) {
  const home = await createTempHome();
  mkdirSync(home.dataDir, { mode: 0o700 });
  copyFileSync(path.join(dataDir, 'claude-mem.db'), path.join(home.dataDir, 'claude-mem.db'));
  const worker = await startWorker(home, { env: NO_EMBEDDER });
  try {
    await settle();
    const runs = [];
    let met = 0;
    for (const { project, title } of madeUpMemory(size)) {
      if (project !== PROJECT || met++ % ASKED !== 0) continue;
      const prompt = claudePayloads({ cwd: PROJECT }).prompt(`Why was it so: ${title}`);
      runs.push(fire(home, 'UserPromptSubmit', prompt, PROJECT));
      if (runs.length === RUNS + 5) break;
    }
    return runs.slice(5);
  } finally {
    await worker[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  }
}

/** Result, budget and verdict of questions that are given up after a while: an answer that comes later is none. */
function inTime(runs, limitMs) {
  const times = runs.map(({ took }) => took);
  const told = runs.filter(({ context }) => context !== '').length;
  return [`${p50And95(times)}, ${told} of ${runs.length} told`, `p95 ${limitMs} ms`, p95(times) <= limitMs];
}

function timeOfStart(home, observations) {
  const { took, context } = fire(home, 'SessionStart', claudePayloads({ cwd: home.project }).sessionStart());
  if (observations > 0 && !context) throw new Error(`no context at ${observations} observations`);
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
  });
  const took = performance.now() - started;
  if (run.status !== 0) throw new Error(`${event}: exit ${run.status}, ${run.stdout}${run.stderr}`);
  const context = JSON.parse(run.stdout.toString() || '{}').hookSpecificOutput?.additionalContext ?? '';
  return { took, context };
}

/** Memory is looked at two seconds after the last work. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 2_000));
