// npm run bench [-- PART…] [options]: measures the running system and compares the figures with the budgets.
//   PART             hooks, ingest, cost, search, viewer, disk, context or start; all of them by default
//   --quick          a tenth of the samples and records, to check that every part runs; the figures are unreliable
//   --provider NAME  limits cost to these observers
//   --large          search also measures a million observations
//   --fresh          rebuilds the memories that search keeps from the previous run
//   --minutes N      how long viewer sends live events, 1 by default
// Needs a build, which npm test makes. A missed budget does not change the exit code. The exit code is 1 when something
// could not be measured.
import { parseArgs } from 'node:util';
import { benchCost } from './bench/cost.mjs';
import { benchHooks } from './bench/hooks.mjs';
import { machine, printTable, row } from './bench/figures.mjs';
import { benchIngest } from './bench/ingest.mjs';
import { runMeasurements } from './bench/samples.mjs';
import { createSeededHomes } from './bench/seeded-home.mjs';
import { benchSearch } from './bench/search.mjs';
import { benchSessionStart } from './bench/session-start.mjs';
import { benchStart } from './bench/start.mjs';
import { benchViewer } from './bench/viewer.mjs';
import { chosenObservers } from './e2e/chosen-observers.mjs';

const PARTS = ['hooks', 'ingest', 'cost', 'search', 'viewer', 'disk', 'context', 'start'];
const OBSERVATIONS = 100_000;

const METHOD = `The bench runs the built programs as processes in temporary homes, one measurement after the other. A sample that fails or
times out is counted, and the figures are of the other samples.
Hooks: the time from spawn to exit and closed output. Worker up and worker down alternate. NODE_EXTRA_CA_CERTS is unset.
  Sessions of a real Claude Code use a scripted model and no network. Sessions with and without hooks alternate.
Ingest: an event counts when it was acknowledged and is in the database afterwards. The load generator shares the cores.
Start: the time from spawn to the first response that reports ready.
Memory: the resident set two seconds after the last work.
Cost: recorded sessions, and synthetic sessions of growing length. Each observer talks to a fake vendor. Tokens are the
  bytes of the request body / 4.
Search: synthetic memories (38,000 words by Zipf's law, identifiers and paths). Each mode runs in its own process: 1,000
  queries of many kinds after 200 warm-up queries, half of them with filters. The libraries get the same records and
  queries without filters, each in its own process.
Viewer: a headless Chromium shares the cores. The first paint is the frame with the first record, or on the page of a
  project the first session. A cold load has an empty browser cache. A search takes from the last key to the frame that
  shows its results. Live memory is the heap after a garbage collection, and its growth is the least-squares line.`;

async function main() {
  let options;
  try {
    options = readOptions();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 2;
    return;
  }
  const started = performance.now();
  console.log(`${machine()}\n\n${METHOD}\n`);
  const rows = await measure(options);
  printTable(rows);
  const count = (wanted) => rows.filter(({ verdict }) => verdict === wanted).length;
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  console.log(
    `\nBudgets missed: ${count('MISSED')}. Measurements failed: ${count('FAILED')}. Duration: ${seconds} s.`,
  );
  if (count('FAILED') > 0) process.exitCode = 1;
}

function readOptions() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      provider: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
      large: { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: false },
      minutes: { type: 'string', default: '1' },
    },
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Error('--minutes must be a number above 0');
  const unknown = positionals.filter((part) => !PARTS.includes(part));
  if (unknown.length > 0)
    throw new Error(`unknown part ${unknown.join(', ')}; parts are ${PARTS.join(', ')}`);
  return {
    parts: new Set(positionals.length > 0 ? positionals : PARTS),
    providers: chosenObservers(values.provider),
    isQuick: values.quick,
    isLarge: values.large,
    isFresh: values.fresh,
    minutes,
    report: (text) => process.stderr.write(`… ${text}\n`),
    /** Number of samples or records to use in this run. */
    scale: (number) => (values.quick ? Math.max(3, Math.ceil(number / 10)) : number),
  };
}

async function measure(options) {
  const { parts, scale } = options;
  const homes = createSeededHomes(options);
  const largeHome = () => homes.get(scale(OBSERVATIONS));
  const measurements = {
    hooks: () => benchHooks(options),
    ingest: () => benchIngest(options),
    cost: () => benchCost(options),
    search: () => benchSearch(options),
    viewer: () => benchViewer(options),
    disk: async () => [diskRow(await largeHome())],
    context: async () =>
      benchSessionStart([await homes.get(0), await homes.get(1_000), await largeHome()], options),
    start: async () => benchStart(await largeHome(), options),
  };
  return runMeasurements([
    ...PARTS.filter((part) => parts.has(part)).map((part) => [part, measurements[part]]),
    ['removing the temporary homes', () => homes.dispose()],
  ]);
}

function diskRow({ observations, ownBytes, databaseBytes }) {
  const beyond = (databaseBytes - ownBytes) / observations;
  return row(
    'disk per observation beyond its own text, with indexes',
    `${Math.round(beyond)} B (own text ${Math.round(ownBytes / observations)} B)`,
    '2,048 B',
    beyond <= 2_048,
  );
}

await main();
