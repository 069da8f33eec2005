// Search: speed, memory and disk of ours over made-up memories, and full-text libraries beside it on the same records.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { mib, ms, row } from './figures.mjs';
import { searchHome } from './search-home.mjs';
import { madeUpQueries } from './search-made-up-memory.mjs';

const SIZES = [
  { size: 10_000, budgetMs: 5 },
  { size: 100_000, budgetMs: 20 },
  { size: 1_000_000, budgetMs: 120, isLarge: true },
];
const MEASURED_WHOLE = 100_000;
const QUERIES = 1_200;
const OPEN_BUDGET_MS = 300;
const MEMORY_BUDGET_MIB = 160;
const OURS = 'claude-mem';
const OTHERS = ['minisearch', 'orama', 'flexsearch', 'lunr'];
const SETS = ['cacm', 'cosqa', 'locomo'];
const TIMES_FASTER = 3;
/** A library that needs longer for the whole is measured with a tenth of the records, and its name says so. */
const LIBRARY_PATIENCE_MS = 180_000;

const run = promisify(execFile);

/** @param options.isLarge measures a million observations too */
export async function benchSearch({ say, isLarge = false, isFresh = false }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'claude-mem-bench-'));
  try {
    const rows = [];
    for (const { size, budgetMs } of SIZES.filter((one) => isLarge || !one.isLarge)) {
      rows.push(...(await speedRows({ size, budgetMs, folder, isFresh, say })));
    }
    rows.push(...(await libraryRows({ folder, say })));
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function speedRows({ size, budgetMs, folder, isFresh, say }) {
  const home = await searchHome(size, { isFresh, say });
  const queries = path.join(folder, `queries-${size}.json`);
  writeFileSync(queries, JSON.stringify([...madeUpQueries(QUERIES, size)]));
  const name = size.toLocaleString('en');
  const rows = [];
  for (const way of ['words', 'hybrid']) {
    say(`${way} over ${name}`);
    const measured = await child('search-speed.mjs', [home.dataDir, queries, way]);
    for (const [part, text] of [
      ['plain', 'no filter'],
      ['filtered', 'filters'],
    ]) {
      const { p50, p95, p99 } = measured[part];
      rows.push(
        row(
          `search ${name}, ${way}, ${text}`,
          `p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}`,
          `p95 ${budgetMs} ms`,
          p95 <= budgetMs,
        ),
      );
    }
    rows.push(
      row(
        `search ${name}, ${way}, processor time per query`,
        `${ms(measured.cpuMs)} on average, ${Math.round(measured.found * 100)} % found something`,
      ),
    );
    if (way === 'words') rows.push(openingRow(name, size, measured));
    else
      for (const [reason, times] of measured.degraded)
        rows.push(row(`search ${name}, ${way}, ${times} times`, reason));
  }
  rows.push(
    memoryRow(
      name,
      size,
      await child('search-speed.mjs', [home.dataDir, queries, 'memory'], { flags: ['--expose-gc'] }),
    ),
  );
  const perObservation = (bytes) => `${Math.round(bytes / size).toLocaleString('en')} B`;
  rows.push(
    row(
      `search ${name}, disk per observation`,
      `own text ${perObservation(home.ownBytes)}, records and words beyond it ${perObservation(home.wordBytes - home.ownBytes)}, ${home.vectors / size} vectors ${perObservation(home.databaseBytes - home.wordBytes)}`,
    ),
    row(`search ${name}, import with index of words`, `${(home.buildMs / 1_000).toFixed(0)} s`),
  );
  return rows;
}

function openingRow(name, size, { openMs, firstMs }) {
  const isBudgeted = size === MEASURED_WHOLE;
  return row(
    `search ${name}, opening`,
    `${ms(openMs)}, with the first answer ${ms(firstMs)}`,
    isBudgeted ? `${OPEN_BUDGET_MS} ms` : '',
    isBudgeted ? openMs <= OPEN_BUDGET_MS : null,
  );
}

function memoryRow(name, size, { rssBytes, bareRss, liveBytes }) {
  const isBudgeted = size === MEASURED_WHOLE;
  return row(
    `search ${name}, whole process without the embedder`,
    `${mib(rssBytes)} (${mib(bareRss)} before it was opened; live heap and buffers ${mib(liveBytes)})`,
    isBudgeted ? `${MEMORY_BUDGET_MIB} MiB` : '',
    isBudgeted ? rssBytes <= MEMORY_BUDGET_MIB * 2 ** 20 : null,
  );
}

/** Every library in a process of its own. Quality needs the sets beside the project; speed does not. */
async function libraryRows({ folder, say }) {
  const sets = path.join(folder, 'sets');
  const evals = path.join(import.meta.dirname, '..', 'eval.mjs');
  spawnSync(process.execPath, [evals, 'search', '--export', sets, ...SETS.flatMap((set) => ['--set', set])]);
  const measured = new Map();
  for (const name of [OURS, ...OTHERS]) {
    say(`library ${name}`);
    const flags = ['--max-old-space-size=12288'];
    const measure = (size, options) =>
      child('search-library.mjs', [name, sets, String(size)], { flags, ...options });
    try {
      const timeout = name === OURS ? 0 : LIBRARY_PATIENCE_MS;
      measured.set(name, { isWhole: true, ...(await measure(MEASURED_WHOLE, { timeout })) });
    } catch (error) {
      if (!error.killed) throw error;
      const fewer = MEASURED_WHOLE / 10;
      measured.set(`${name} (${fewer.toLocaleString('en')})`, await measure(fewer));
    }
  }
  const ours = measured.get(OURS);
  const each = (read) => [...measured].map(([name, figures]) => `${name} ${read(figures)}`).join(', ');
  const others = [...measured.values()].filter((figures) => figures !== ours);
  const whole = others.filter(({ isWhole }) => isWhole);
  const best = (read, among = others) => Math.max(...among.map(read));
  const found = existsSync(sets) ? readdirSync(sets).filter((file) => file.endsWith('.queries.json')) : [];
  const quality = found
    .map((file) => file.replace('.queries.json', ''))
    .map((set) => {
      const read = ({ quality: reached }) => reached[set];
      return row(
        `libraries, nDCG@10 on ${set}`,
        each((figures) => read(figures).toFixed(3)),
        'the best',
        read(ours) > best(read),
      );
    });
  const perSecond = ({ medianMs }) => 1_000 / medianMs;
  const size = MEASURED_WHOLE.toLocaleString('en');
  return [
    ...quality,
    row(
      `libraries, queries per second at the median, ${size}`,
      each((figures) => Math.round(perSecond(figures)).toLocaleString('en')),
      `${TIMES_FASTER} × the best other of this size`,
      whole.length > 0 ? perSecond(ours) >= TIMES_FASTER * best(perSecond, whole) : null,
    ),
    row(
      `libraries, p95, ${size}`,
      each(({ p95Ms }) => ms(p95Ms)),
    ),
    row(
      `libraries, building the index, ${size}`,
      each(({ buildMs }) => `${(buildMs / 1_000).toFixed(0)} s`),
    ),
    row(
      `libraries, resident set, ${size}`,
      each(({ rssBytes }) => mib(rssBytes)),
    ),
  ];
}

async function child(script, args, { flags = [], timeout = 0 } = {}) {
  const { stdout } = await run(
    process.execPath,
    [...process.execArgv, ...flags, path.join(import.meta.dirname, script), ...args],
    { maxBuffer: 2 ** 26, timeout },
  );
  return JSON.parse(stdout.trim().split('\n').at(-1));
}
