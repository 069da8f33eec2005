// Measures search: speed, memory and disk over synthetic memories, and full-text libraries on the same records.
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { missingDataReason, SEARCH_SETS } from './data-sets.mjs';
import { mib, ms, row, skippedRow } from './figures.mjs';
import { runMeasurements } from './samples.mjs';
import { searchHome } from './search-home.mjs';
import { syntheticQueries } from './search-synthetic-memory.mjs';

const SIZES = [
  { size: 10_000, budgetMs: 5 },
  { size: 100_000, budgetMs: 20 },
  { size: 1_000_000, budgetMs: 120, isLarge: true },
];
/**
 * Size to which the budgets for opening and memory apply. The libraries are measured with the same number of records.
 */
const BUDGETED_SIZE = 100_000;
const QUERIES = 1_200;
const OPEN_BUDGET_MS = 300;
const MEMORY_BUDGET_MIB = 160;
const OURS = 'claude-mem';
const OTHERS = ['minisearch', 'orama', 'flexsearch', 'lunr'];
const SETS = ['cacm', 'cosqa', 'locomo'];
const TIMES_FASTER = 3;
/**
 * Time limit. A library that exceeds it is measured with a tenth of the records, and the result contains their
 * number.
 */
const LIBRARY_TIMEOUT_MS = 180_000;
const TIMEOUT_MS = 30 * 60_000;

const run = promisify(execFile);

/**
 * Measures search.
 * @param options.isLarge also measures a million observations
 */
export async function benchSearch(options) {
  const { isLarge, isQuick } = options;
  const folder = mkdtempSync(path.join(tmpdir(), 'claude-mem-bench-'));
  const sizes = isQuick ? SIZES.slice(0, 1) : SIZES.filter((one) => isLarge || !one.isLarge);
  try {
    return await runMeasurements([
      ...sizes.map(({ size, budgetMs }) => [
        `search ${formatCount(size)}`,
        () => benchSize({ size, budgetMs, folder }, options),
      ]),
      ['libraries', () => benchLibraries(folder, options)],
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function benchSize({ size, budgetMs, folder }, { report, isFresh }) {
  const home = await searchHome(size, { isFresh, report });
  const queries = path.join(folder, `queries-${size}.json`);
  writeFileSync(queries, JSON.stringify([...syntheticQueries(QUERIES, size)]));
  const name = formatCount(size);
  const measure = (mode, options) => {
    report(`${mode} search over ${name}`);
    return runChild('search-speed.mjs', [home.dataDir, queries, mode], options);
  };
  return runMeasurements([
    ...['lexical', 'hybrid'].map((mode) => [
      `search ${name}, ${mode}`,
      async () => speedRows({ name, size, mode, budgetMs }, await measure(mode)),
    ]),
    [
      `search ${name}, memory`,
      async () => [memoryRow(name, size, await measure('memory', { flags: ['--expose-gc'] }))],
    ],
    [`search ${name}, disk`, () => diskRows(name, home)],
  ]);
}

function speedRows({ name, size, mode, budgetMs }, measured) {
  const latencyRow = (text, { p50, p95, p99 }) =>
    row(
      `search ${name}, ${mode}, ${text}`,
      `p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}`,
      `p95 ${budgetMs} ms`,
      p95 <= budgetMs,
    );
  return [
    latencyRow('no filter', measured.plain),
    latencyRow('filters', measured.filtered),
    row(
      `search ${name}, ${mode}, processor time per query`,
      `${ms(measured.cpuMs)} on average, ${Math.round(measured.found * 100)} % with results`,
    ),
    ...(measured.missed === '' ? [] : [row(`search ${name}, ${mode}, missed samples`, measured.missed)]),
    ...(mode === 'lexical' ? [openingRow(name, size, measured)] : degradedRows(name, mode, measured)),
  ];
}

const degradedRows = (name, mode, { degraded }) =>
  degraded.map(([reason, times]) => row(`search ${name}, ${mode}, degraded ${times} times`, reason));

function diskRows(name, { size, ownBytes, wordBytes, databaseBytes, vectors, buildMs }) {
  const perObservation = (bytes) => `${formatCount(Math.round(bytes / size))} B`;
  return [
    row(
      `search ${name}, disk per observation`,
      `own text ${perObservation(ownBytes)}, records and inverted index beyond it ${perObservation(wordBytes - ownBytes)}, ${vectors / size} vectors ${perObservation(databaseBytes - wordBytes)}`,
    ),
    row(`search ${name}, import with inverted index`, `${(buildMs / 1_000).toFixed(0)} s`),
  ];
}

function openingRow(name, size, { openMs, firstMs }) {
  const isBudgeted = size === BUDGETED_SIZE;
  return row(
    `search ${name}, opening`,
    `${ms(openMs)}, with the first answer ${ms(firstMs)}`,
    isBudgeted ? `${OPEN_BUDGET_MS} ms` : '',
    isBudgeted ? openMs <= OPEN_BUDGET_MS : null,
  );
}

function memoryRow(name, size, { rssBytes, bareRss, liveBytes }) {
  const isBudgeted = size === BUDGETED_SIZE;
  return row(
    `search ${name}, whole process without the embedder`,
    `${mib(rssBytes)} (${mib(bareRss)} before it was opened; live heap and buffers ${mib(liveBytes)})`,
    isBudgeted ? `${MEMORY_BUDGET_MIB} MiB` : '',
    isBudgeted ? rssBytes <= MEMORY_BUDGET_MIB * 2 ** 20 : null,
  );
}

/** Measures each library in its own process. Quality needs the data sets, speed does not. */
async function benchLibraries(folder, { report, scale }) {
  const sets = path.join(folder, 'sets');
  mkdirSync(sets);
  const qualityReason = exportSets(sets);
  const size = scale(BUDGETED_SIZE);
  const measured = new Map();
  const failed = await runMeasurements(
    [OURS, ...OTHERS].map((name) => [
      `library ${name}`,
      async () => {
        report(`library ${name}`);
        const { isFull, ...figures } = await measureLibrary(name, sets, size);
        measured.set(isFull ? name : `${name} (${formatCount(size / 10)})`, { isFull, ...figures });
      },
    ]),
  );
  const quality =
    qualityReason === null ? qualityRows(measured) : [skippedRow('libraries, nDCG@10', qualityReason)];
  const missed = [...measured].flatMap(([name, figures]) =>
    figures.missed.map((text) => row(`library ${name}, missed samples`, text)),
  );
  return [...failed, ...quality, ...libraryRows(measured, formatCount(size)), ...missed];
}

/** @returns the reason why the data sets cannot be used, or null */
function exportSets(folder) {
  const reason = missingDataReason(SETS.map((name) => SEARCH_SETS[name]));
  if (reason !== null) return reason;
  const script = path.join(import.meta.dirname, '..', 'eval.mjs');
  const { status, stderr } = spawnSync(
    process.execPath,
    [script, 'search', '--export', folder, ...SETS.flatMap((set) => ['--set', set])],
    { encoding: 'utf8' },
  );
  return status === 0 ? null : `cannot export the sets: ${lastError(stderr)}`;
}

async function measureLibrary(name, sets, size) {
  const flags = ['--max-old-space-size=12288'];
  const measure = (records, timeout) =>
    runChild('search-library.mjs', [name, sets, String(records)], { flags, timeout });
  try {
    return { isFull: true, ...(await measure(size, name === OURS ? TIMEOUT_MS : LIBRARY_TIMEOUT_MS)) };
  } catch (error) {
    if (!error.cause.killed || name === OURS) throw error;
    return { isFull: false, ...(await measure(size / 10, TIMEOUT_MS)) };
  }
}

function qualityRows(measured) {
  const ours = measured.get(OURS);
  return SETS.map((set) => {
    const others = [...measured.values()].filter((figures) => figures !== ours);
    const best = Math.max(...others.map(({ quality }) => quality[set]));
    return row(
      `libraries, nDCG@10 on ${set}`,
      formatEach(measured, ({ quality }) => quality[set].toFixed(3)),
      'the best',
      ours === undefined ? null : ours.quality[set] > best,
    );
  });
}

function libraryRows(measured, size) {
  const perSecond = ({ medianMs }) => 1_000 / medianMs;
  const ours = measured.get(OURS);
  const others = [...measured.values()].filter((figures) => figures !== ours && figures.isFull);
  const isComparable = ours !== undefined && others.length > 0;
  return [
    row(
      `libraries, queries per second at the median, ${size}`,
      formatEach(measured, (figures) => formatCount(Math.round(perSecond(figures)))),
      `${TIMES_FASTER} × the best other of this size`,
      isComparable ? perSecond(ours) >= TIMES_FASTER * Math.max(...others.map(perSecond)) : null,
    ),
    row(
      `libraries, p95, ${size}`,
      formatEach(measured, ({ p95Ms }) => ms(p95Ms)),
    ),
    row(
      `libraries, building the index, ${size}`,
      formatEach(measured, ({ buildMs }) => `${(buildMs / 1_000).toFixed(0)} s`),
    ),
    row(
      `libraries, resident set, ${size}`,
      formatEach(measured, ({ rssBytes }) => mib(rssBytes)),
    ),
  ];
}

const formatEach = (measured, format) =>
  [...measured].map(([name, figures]) => `${name} ${format(figures)}`).join(', ');
const formatCount = (count) => count.toLocaleString('en');

/** Runs a script and parses its last line of output. */
async function runChild(script, args, { flags = [], timeout = TIMEOUT_MS } = {}) {
  const command = [...process.execArgv, ...flags, path.join(import.meta.dirname, script), ...args];
  try {
    const { stdout } = await run(process.execPath, command, { maxBuffer: 2 ** 26, timeout });
    return JSON.parse(stdout.trim().split('\n').at(-1));
  } catch (error) {
    const reason = error.killed ? `timed out after ${timeout / 1_000} s` : lastError(error.stderr);
    throw new Error(`${script} failed: ${reason || error.message}`, { cause: error });
  }
}

/** Returns the last error message in the output of a Node process, without its stack. */
const lastError = (stderr = '') => stderr.match(/^\w*Error\b.*$/gm)?.at(-1) ?? stderr.trim().slice(-200);
