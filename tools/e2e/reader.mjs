// Reader process of readers.mjs: node reader.mjs DATA_DIR SEED SEARCHES. Prints a report as JSON after the last search.
import { openMemory } from '@claude-mem/search';
import { SYNTHETIC_WORDS } from './synthetic-record.mjs';
import { randomFrom } from './session-source.mjs';

const [dataDir, seed, searches] = process.argv.slice(2);
const random = randomFrom(Number(seed));
const one = (list) => list[Math.floor(random() * list.length)];
const words = (count) => Array.from({ length: count }, () => one(SYNTHETIC_WORDS)).join(' ');

const ASK = [
  (memory) => memory.search({ query: words(3) }),
  (memory) => memory.search({ query: words(2), type: one(['bugfix', 'decision']), limit: 50 }),
  (memory) => memory.search({ files: [`src/${one(SYNTHETIC_WORDS)}/`], limit: 10 }),
  (memory) => memory.search({ query: words(2), dateFrom: '2026-01-02', dateTo: '2026-01-03' }),
  (memory) => memory.search({ query: `${one(SYNTHETIC_WORDS)} NOT ${one(SYNTHETIC_WORDS)}`, syntax: 'fts5' }),
  (memory) => memory.searchSessions({ query: words(3) }),
  (memory) => memory.searchUserPrompts({ query: 'look at reader' }),
  (memory) => memory.findByConcept('gotcha'),
  async (memory) => ({
    items: (await memory.timeline({ anchor: { query: words(2) } })).entries,
    degraded: [],
  }),
];

const report = { searches: 0, found: 0, slowestMs: 0, problems: [] };
const memory = await openMemory({ dataDir, embedder: 'none', vectors: 'none' });
while (report.searches < Number(searches)) {
  const started = performance.now();
  try {
    const { items } = await one(ASK)(memory);
    report.found += items.length;
  } catch (error) {
    report.problems.push(`${error.code ?? error.name}: ${error.message}`);
  }
  report.searches += 1;
  report.slowestMs = Math.max(report.slowestMs, Math.round(performance.now() - started));
  await new Promise((resolve) => setTimeout(resolve, 5));
}
await memory.close();
console.log(JSON.stringify(report));
