// One library in a process of its own: node search-library.mjs NAME SETS SIZE. Prints one line of JSON: nDCG@10 on every set in
// the folder SETS, and speed and memory over SIZE made-up records.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { p50, p95 } from './figures.mjs';
import { LIBRARIES } from './search-libraries.mjs';
import { madeUpMemory, madeUpQueries } from './search-made-up-memory.mjs';

const LIMIT = 10;
const WARM_UP = 100;
const QUERIES = 500;
/** A slow library is asked fewer: the median is known long before. */
const FEWEST_QUERIES = 100;
const QUERY_TIME_MS = 20_000;

const [name, setsFolder, size] = process.argv.slice(2);
const build = LIBRARIES[name];
console.log(JSON.stringify({ quality: await quality(), ...(await speed(Number(size))) }));

async function quality() {
  const files = readdirSync(setsFolder).filter((file) => file.endsWith('.queries.json'));
  const reached = {};
  for (const file of files) {
    const set = file.replace('.queries.json', '');
    const records = readFileSync(path.join(setsFolder, `${set}.jsonl`), 'utf8')
      .trim()
      .split('\n');
    const queries = JSON.parse(readFileSync(path.join(setsFolder, file), 'utf8'));
    reached[set] = await ndcgOf(
      records.map((line) => JSON.parse(line)),
      queries,
    );
  }
  return reached;
}

/** An index per project, so that nobody has to filter. */
async function ndcgOf(records, queries) {
  const scores = [];
  for (const project of new Set(records.map((record) => record.project))) {
    const own = records.filter((record) => record.project === project);
    const index = await build(own.map(documentOf));
    for (const { text, gold } of queries.filter((query) => query.project === project)) {
      scores.push(ndcg(await index.search(text, LIMIT), new Map(Object.entries(gold))));
    }
    await index.close?.();
  }
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

function ndcg(ranking, gold) {
  const gain = (grades) => grades.reduce((sum, grade, place) => sum + grade / Math.log2(place + 2), 0);
  const best = [...gold.values()].sort((a, b) => b - a).slice(0, LIMIT);
  return gain(ranking.slice(0, LIMIT).map((id) => gold.get(id) ?? 0)) / gain(best);
}

async function speed(count) {
  const started = performance.now();
  const index = await build(madeUpDocuments(count));
  const buildMs = performance.now() - started;
  const times = [];
  const begun = performance.now();
  for (const { text } of madeUpQueries(WARM_UP + QUERIES, count)) {
    const asked = performance.now();
    await index.search(text, LIMIT);
    times.push(performance.now() - asked);
    if (asked - begun > QUERY_TIME_MS && times.length >= WARM_UP + FEWEST_QUERIES) break;
  }
  const timed = times.slice(WARM_UP);
  const rssBytes = process.memoryUsage.rss();
  await index.close?.();
  return { buildMs, medianMs: p50(timed), p95Ms: p95(timed), rssBytes };
}

function* madeUpDocuments(count) {
  for (const record of madeUpMemory(count)) yield documentOf(record);
}

/** From a line of the JSONL import, or a record as the store takes it. */
function documentOf(line) {
  const record = 'createdAtEpoch' in line ? line : importedRecord(line);
  return {
    id: record.uid,
    title: record.title ?? '',
    subtitle: record.subtitle ?? '',
    narrative: record.narrative ?? '',
    facts: record.facts.join('\n'),
    files: [...record.filesRead, ...record.filesModified].join('\n'),
    record,
  };
}

function importedRecord(line) {
  return {
    uid: line.uid,
    project: line.project,
    session: line.session,
    promptNumber: line.prompt_number,
    createdAtEpoch: Date.parse(line.created_at),
    type: line.type ?? 'discovery',
    title: line.title ?? null,
    subtitle: line.subtitle ?? null,
    narrative: line.narrative ?? null,
    facts: line.facts ?? [],
    concepts: line.concepts ?? [],
    filesRead: line.files_read ?? [],
    filesModified: line.files_modified ?? [],
  };
}
