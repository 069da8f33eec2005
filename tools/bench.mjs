// npm run bench [-- PART…] [--provider NAME…] [--large] [--fresh] [--minutes N]: measures the running system and compares
// with the budgets. Parts: hooks ingest context start disk cost search viewer; without any, all. --provider limits cost to
// some observers. --large lets search measure a million observations, --fresh writes its memories anew, which are else kept
// from the run before. --minutes is how long viewer watches live events. Needs a build (npm test makes one). Nothing here is
// a test: it always exits with 0 unless something could not be measured.
import { parseArgs } from 'node:util';
import { benchCost } from './bench/cost.mjs';
import { benchHooks } from './bench/hooks.mjs';
import { benchHooksInHost } from './bench/hooks-in-host.mjs';
import { machine, printTable, row } from './bench/figures.mjs';
import { benchIngest } from './bench/ingest.mjs';
import { createSeededHome } from './bench/seeded-home.mjs';
import { benchSearch } from './bench/search.mjs';
import { benchSessionStart } from './bench/session-start.mjs';
import { benchStart } from './bench/start.mjs';
import { benchViewer } from './bench/viewer.mjs';
import { chosenObservers } from './e2e/chosen-observers.mjs';

const PARTS = ['hooks', 'ingest', 'context', 'start', 'disk', 'cost', 'search', 'viewer'];
const LARGE = 100_000;

const METHOD = `Built programs, real processes, temporary homes, one measure after the other. Hooks: whole process from
spawn to exit and closed output, worker up and down in turn, NODE_EXTRA_CA_CERTS unset; and whole sessions of a real
Claude Code with a scripted model and without a network, with and without hooks, pairs in turn, median. Ingest: an event counts when
it was answered and is found in the database afterwards; the load generator shares the cores. Start: from spawn to the
first answer that says ready. Memory: resident set two seconds after the last work. Cost: recorded sessions, and
made-up ones of growing length, with a wire fake behind each observer; tokens are bytes of the whole body / 4. Search:
made-up memories (words by Zipf's law over 38,000 words, identifiers and paths), one process per way of asking, 1,000
queries of many kinds one after the other after 200 to warm up, half of them with filters; the libraries get the same
records and queries without filters, each in a process of its own. Viewer: a headless Chromium shares the cores; the first
paint is the frame with the first record (on the page of a project: the first session), cold with an empty cache of the
browser; an answer counts from the last key to the frame that shows what was asked with it, and no earlier one; live
memory is the heap after a collection, its growth the line of least squares.`;

async function main() {
  const { positionals: wanted, values } = parseArgs({
    allowPositionals: true,
    options: {
      provider: { type: 'string', multiple: true, default: [] },
      large: { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: false },
      minutes: { type: 'string', default: '1' },
    },
  });
  const providers = chosenObservers(values.provider);
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) {
    console.error('--minutes takes a number above 0');
    process.exitCode = 2;
    return;
  }
  const unknown = wanted.filter((part) => !PARTS.includes(part));
  if (unknown.length > 0) {
    console.error(`unknown part ${unknown.join(', ')}; parts are ${PARTS.join(', ')}`);
    process.exitCode = 2;
    return;
  }
  const parts = new Set(wanted.length > 0 ? wanted : PARTS);
  const started = performance.now();
  console.log(`${machine()}\n\n${METHOD}\n`);
  const rows = await measure(parts, { providers, isLarge: values.large, isFresh: values.fresh, minutes });
  printTable(rows);
  const missed = rows.filter(({ isOk }) => isOk === false).length;
  console.log(`\n${missed} budget(s) missed; ${((performance.now() - started) / 1_000).toFixed(0)} s in all`);
}

async function measure(parts, { providers, isLarge, isFresh, minutes }) {
  const rows = [];
  const say = (text) => process.stderr.write(`… ${text}\n`);
  if (parts.has('hooks')) {
    say('hooks');
    rows.push(...(await benchHooks()), ...benchHooksInHost({ say }));
  }
  if (parts.has('ingest')) {
    say('ingest');
    rows.push(...(await benchIngest()));
  }
  if (parts.has('cost')) rows.push(...(await benchCost(providers, { say })));
  if (parts.has('search')) rows.push(...(await benchSearch({ say, isLarge, isFresh })));
  if (parts.has('viewer')) rows.push(...(await benchViewer({ say, minutes })));
  if (!parts.has('context') && !parts.has('start') && !parts.has('disk')) return rows;
  const seeded = [];
  try {
    for (const size of parts.has('context') ? [0, 1_000, LARGE] : [LARGE]) {
      say(`writing ${size.toLocaleString('en')} observations`);
      seeded.push(await createSeededHome(size));
    }
    const large = seeded.at(-1);
    if (parts.has('disk')) rows.push(diskRow(large));
    if (parts.has('context')) {
      say('session start');
      rows.push(...(await benchSessionStart(seeded, { say, isFresh })));
    }
    if (parts.has('start')) {
      say('start and restart');
      rows.push(...(await benchStart(large)));
    }
  } finally {
    for (const { home } of seeded) await home[Symbol.asyncDispose]();
  }
  return rows;
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
