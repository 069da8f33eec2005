// Measures one search mode over one memory and prints one line of JSON: node search-speed.mjs DATA_DIR QUERIES MODE.
// Modes: lexical, hybrid and memory. The mode memory is hybrid with a trivial embedder, so that only the indexes use
// memory.
import { readFileSync } from 'node:fs';
import { openMemory } from '@claude-mem/search';
import { p50, p95, percentile } from './figures.mjs';
import { Samples, withTimeout } from './samples.mjs';

const DIMENSIONS = 512;
const WARM_UP = 200;
const LIMIT = 20;

const [dataDir, queriesFile, mode] = process.argv.slice(2);
const queries = JSON.parse(readFileSync(queriesFile, 'utf8'));
const settings = {
  lexical: { vectors: 'none' },
  hybrid: { vectors: 'flat', embedder: 'use-lite' },
  memory: { vectors: 'flat', embedder: createTrivialEmbedder() },
}[mode];

const bareRss = process.memoryUsage.rss();
const started = performance.now();
const memory = await openMemory({ dataDir, ...settings });
const openMs = performance.now() - started;
await memory.search(requestOf(queries[0]));
const firstMs = performance.now() - started;
const samples = new Samples();
let cpuBefore;
for (const [index, query] of queries.entries()) {
  if (index === WARM_UP) cpuBefore = process.cpuUsage();
  const take = async () => {
    const asked = performance.now();
    const { items, degraded } = await withTimeout(memory.search(requestOf(query)));
    return {
      took: performance.now() - asked,
      isFiltered: Boolean(query.filter),
      isFound: items.length > 0,
      reasons: degraded.map(({ reason }) => reason),
    };
  };
  await samples.add(take, { isWarmUp: index < WARM_UP });
}
const cpu = process.cpuUsage(cpuBefore);
const { values } = samples;
if (values.length === 0) throw new Error(samples.formatMissed());
globalThis.gc?.();
const { rss: rssBytes, heapUsed, external } = process.memoryUsage();
await memory.close();
const degraded = new Map();
for (const reason of values.flatMap(({ reasons }) => reasons))
  degraded.set(reason, (degraded.get(reason) ?? 0) + 1);
const summary = (some) => {
  const times = some.map(({ took }) => took);
  return { p50: p50(times), p95: p95(times), p99: percentile(times, 0.99) };
};
console.log(
  JSON.stringify({
    openMs,
    firstMs,
    bareRss,
    rssBytes,
    liveBytes: heapUsed + external,
    cpuMs: (cpu.user + cpu.system) / 1_000 / values.length,
    found: values.filter(({ isFound }) => isFound).length / values.length,
    missed: samples.formatMissed(),
    degraded: [...degraded],
    plain: summary(values.filter(({ isFiltered }) => !isFiltered)),
    filtered: summary(values.filter(({ isFiltered }) => isFiltered)),
  }),
);

function requestOf({ text, isPrefix, filter }) {
  return {
    query: isPrefix ? `${text}*` : text,
    ...(isPrefix ? { syntax: 'fts5' } : {}),
    limit: LIMIT,
    ...filter,
  };
}

function createTrivialEmbedder() {
  const close = () => Promise.resolve();
  return {
    model: 'use-lite-1',
    embed: async (texts) => texts.map(directionOf),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function directionOf(text) {
  let state = text.length;
  const values = Float32Array.from({ length: DIMENSIONS }, (_, index) => {
    state = (Math.imul(state, 1664525) + 1013904223 + text.charCodeAt(index % text.length)) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}
