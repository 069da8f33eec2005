// Measures one library and prints one line of JSON: node search-library.mjs NAME SETS SIZE. The result has nDCG@10 on every
// set in the folder SETS, and speed and memory over SIZE synthetic records.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { toFacts } from '@claude-mem/core';
import { p50, p95 } from './figures.mjs';
import { Samples } from './samples.mjs';
import { LIBRARIES } from './search-libraries.mjs';
import { syntheticMemory, syntheticQueries } from './search-synthetic-memory.mjs';

const LIMIT = 10;
const WARM_UP = 100;
const QUERIES = 500;
/** A slow library runs only this many queries, which is enough for a median. */
const FEWEST_QUERIES = 100;
const QUERY_TIME_MS = 20_000;

const [name, setsFolder, size] = process.argv.slice(2);
const build = LIBRARIES[name];
const missed = [];
console.log(JSON.stringify({ quality: await quality(), ...(await speed(Number(size))), missed }));

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

/** Builds an index per project, so that no library needs to filter by project. */
async function ndcgOf(records, queries) {
  const samples = new Samples();
  for (const project of new Set(records.map((record) => record.project))) {
    const own = records.filter((record) => record.project === project);
    const index = await build(own.map(documentOf));
    for (const { text, gold } of queries.filter((query) => query.project === project)) {
      await samples.add(async () => ndcg(await index.search(text, LIMIT), new Map(Object.entries(gold))));
    }
    await index.close?.();
  }
  return finish(samples).reduce((sum, score) => sum + score, 0) / samples.values.length;
}

function ndcg(ranking, gold) {
  const gain = (grades) => grades.reduce((sum, grade, rank) => sum + grade / Math.log2(rank + 2), 0);
  const best = [...gold.values()].sort((a, b) => b - a).slice(0, LIMIT);
  return gain(ranking.slice(0, LIMIT).map((id) => gold.get(id) ?? 0)) / gain(best);
}

async function speed(count) {
  const started = performance.now();
  const library = await build(syntheticDocuments(count));
  const buildMs = performance.now() - started;
  const samples = new Samples();
  const begun = performance.now();
  let index = 0;
  for (const { text } of syntheticQueries(WARM_UP + QUERIES, count)) {
    const take = async () => {
      const asked = performance.now();
      await library.search(text, LIMIT);
      return performance.now() - asked;
    };
    await samples.add(take, { isWarmUp: index < WARM_UP });
    index += 1;
    const isSlow = performance.now() - begun > QUERY_TIME_MS;
    if (isSlow && index >= WARM_UP + FEWEST_QUERIES) break;
  }
  const rssBytes = process.memoryUsage.rss();
  await library.close?.();
  const times = finish(samples);
  return { buildMs, medianMs: p50(times), p95Ms: p95(times), rssBytes };
}

/** Returns the values and records the missed samples. Throws when every sample is missed. */
function finish(samples) {
  const text = samples.formatMissed();
  if (samples.values.length === 0) throw new Error(text || 'no samples');
  if (text !== '') missed.push(text);
  return samples.values;
}

function* syntheticDocuments(count) {
  for (const record of syntheticMemory(count)) yield documentOf(record);
}

/** Creates a document from a line of the JSONL import or from an imported record. */
function documentOf(line) {
  const record = 'createdAtEpoch' in line ? line : importedRecord(line);
  return {
    id: record.uid,
    title: record.title ?? '',
    subtitle: record.subtitle ?? '',
    narrative: record.narrative ?? '',
    facts: record.facts.map(({ text }) => text).join('\n'),
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
    facts: toFacts(line.facts ?? [], null),
    concepts: line.concepts ?? [],
    filesRead: line.files_read ?? [],
    filesModified: line.files_modified ?? [],
  };
}
