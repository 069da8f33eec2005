// One way of asking one memory, in a process of its own: node search-speed.mjs DATA_DIR QUERIES words|hybrid|memory. Prints one
// line of JSON. `memory` is hybrid with an embedder that costs nothing, so that only the indexes take memory.
import { readFileSync } from 'node:fs';
import { openMemory } from '@claude-mem/search';
import { p50, p95, percentile } from './figures.mjs';

const DIMENSIONS = 512;
const WARM_UP = 200;
const LIMIT = 20;

const [dataDir, queriesFile, way] = process.argv.slice(2);
const queries = JSON.parse(readFileSync(queriesFile, 'utf8'));
const settings = {
  words: { vectors: 'none' },
  hybrid: { vectors: 'flat', embedder: 'use-lite' },
  memory: { vectors: 'flat', embedder: createFreeEmbedder() },
}[way];

const bareRss = process.memoryUsage.rss();
const started = performance.now();
const memory = await openMemory({ dataDir, ...settings });
const openMs = performance.now() - started;
await memory.search(requestOf(queries[0]));
const firstMs = performance.now() - started;
const times = { all: [], plain: [], filtered: [], prefix: [] };
const degraded = new Map();
let found = 0;
let cpuBefore;
for (const [index, query] of queries.entries()) {
  if (index === WARM_UP) cpuBefore = process.cpuUsage();
  const asked = performance.now();
  const answer = await memory.search(requestOf(query));
  const took = performance.now() - asked;
  if (index < WARM_UP) continue;
  found += Number(answer.items.length > 0);
  for (const { reason } of answer.degraded) degraded.set(reason, (degraded.get(reason) ?? 0) + 1);
  times.all.push(took);
  times[query.filter ? 'filtered' : 'plain'].push(took);
  if (query.isPrefix) times.prefix.push(took);
}
const cpu = process.cpuUsage(cpuBefore);
globalThis.gc?.();
const { rss: rssBytes, heapUsed, external } = process.memoryUsage();
await memory.close();
const summary = (values) => ({ p50: p50(values), p95: p95(values), p99: percentile(values, 0.99) });
console.log(
  JSON.stringify({
    openMs,
    firstMs,
    bareRss,
    rssBytes,
    liveBytes: heapUsed + external,
    cpuMs: (cpu.user + cpu.system) / 1_000 / times.all.length,
    found: found / times.all.length,
    degraded: [...degraded],
    ...Object.fromEntries(Object.entries(times).map(([name, values]) => [name, summary(values)])),
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

function createFreeEmbedder() {
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
