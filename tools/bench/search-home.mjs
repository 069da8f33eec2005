// Builds homes with synthetic observations and vectors, and keeps them for the next run.
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ANALYSIS_VERSION } from '@claude-mem/lexical-index/analysis';
import { openStorage } from '@claude-mem/storage';
import { randomFrom } from '../e2e/session-source.mjs';
import { syntheticMemory } from './search-synthetic-memory.mjs';

const CACHE = path.join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'claude-mem-bench');
const PER_IMPORT = 1_000;
const MODEL = 'use-lite-1';
const DIMENSIONS = 512;
const CENTRES = 200;
/** A memory with more observations than this has one vector per observation, instead of one per narrative and fact. */
const MAX_WITH_FACT_VECTORS = 200_000;

/**
 * Builds the memory, or returns the one of the previous run.
 * @returns { dataDir, size, analysisVersion, buildMs, ownBytes, wordBytes, databaseBytes, vectors }
 */
export async function searchHome(size, { isFresh = false, report }) {
  const dataDir = path.join(CACHE, `search-${size}`);
  const about = path.join(dataDir, 'about.json');
  if (isFresh || readAbout(about)?.analysisVersion !== ANALYSIS_VERSION) {
    rmSync(dataDir, { recursive: true, force: true });
    report(`writing ${size.toLocaleString('en')} observations`);
    const half = `${dataDir}.half`;
    rmSync(half, { recursive: true, force: true });
    mkdirSync(half, { recursive: true });
    writeFileSync(path.join(half, 'about.json'), JSON.stringify(await build(half, size)));
    renameSync(half, dataDir);
  } else await (await openIn(dataDir)).close(); // Opening the database applies new migrations.
  return { dataDir, size, ...readAbout(about) };
}

function readAbout(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

function openIn(dataDir) {
  const file = path.join(dataDir, 'claude-mem.db');
  return openStorage({ file, backupsDir: path.join(dataDir, 'backups'), backupKeep: 1 });
}

async function build(dataDir, size) {
  const file = path.join(dataDir, 'claude-mem.db');
  const started = performance.now();
  let storage = await openIn(dataDir);
  const ownBytes = await importAll(storage.store, size);
  for (let done = false; !done;) ({ done } = await storage.index.step());
  await storage.maintain();
  const buildMs = performance.now() - started;
  await storage.close();
  const withWords = statSync(file).size;
  storage = await openIn(dataDir);
  const vectors = await writeVectors(storage.vectors, size);
  await storage.close();
  rmSync(path.join(dataDir, 'backups'), { recursive: true, force: true });
  const databaseBytes = statSync(file).size;
  return {
    analysisVersion: ANALYSIS_VERSION,
    buildMs,
    ownBytes,
    wordBytes: withWords,
    databaseBytes,
    vectors,
  };
}

async function importAll(store, size) {
  let ownBytes = 0;
  let held = [];
  const commit = async () => {
    const { failed } = await store.importRecords(held, { now: Date.now() });
    if (failed.length > 0) throw new Error(`not imported: ${failed[0].reason}`);
    held = [];
  };
  for (const record of syntheticMemory(size)) {
    held.push(record);
    ownBytes += textBytes(record);
    if (held.length === PER_IMPORT) await commit();
  }
  await commit();
  return ownBytes;
}

/** Creates vectors in clusters, like those of real texts, and stores them like the worker. */
async function writeVectors(outbox, size) {
  const random = randomFrom(3);
  const centres = Array.from({ length: CENTRES }, () =>
    Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5),
  );
  const perObservation = size > MAX_WITH_FACT_VECTORS ? 1 : 4;
  const now = Date.now();
  let rows = [];
  for (let observationId = 1; observationId <= size; observationId += 1) {
    const centre = centres[Math.floor(random() * CENTRES)];
    for (let part = 0; part < perObservation; part += 1) {
      rows.push({
        documentId: part === 0 ? `obs_${observationId}_narrative` : `obs_${observationId}_fact_${part - 1}`,
        observationId,
        dimensions: DIMENSIONS,
        contentHash: `synthetic-${observationId}-${part}`,
        ...quantized(centre, random),
      });
    }
    if (rows.length >= 2_000 || observationId === size) {
      await outbox.putVectors({ model: MODEL, rows, now });
      rows = [];
    }
  }
  await emptyOutbox(outbox, now);
  return size * perObservation;
}

async function emptyOutbox(outbox, now) {
  for (;;) {
    const entries = await outbox.next({ limit: 1_000, now: now + 1 });
    if (entries.length === 0) return;
    await outbox.complete(entries.map(({ id }) => id));
  }
}

function quantized(centre, random) {
  const values = centre.map((value) => value + (random() - 0.5) * 1.2);
  const peak = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const vector = Int8Array.from(values, (value) => Math.round((value / peak) * 127));
  const length = Math.hypot(...vector);
  return { scale: Math.fround(1 / length), vector: new Uint8Array(vector.buffer) };
}

function textBytes({ title, subtitle, narrative, facts, concepts, filesRead, filesModified, type }) {
  const factTexts = facts.map(({ text }) => text);
  const texts = [type, title, subtitle, narrative, ...factTexts, ...concepts, ...filesRead, ...filesModified];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
