import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage, openStorageReader, type Storage } from '@claude-mem/storage';
import { noopLogger, systemClock, type ImportedObservation } from '@claude-mem/core';
import type { Embedder } from '../src/ports/embedder.js';
import { openFlatIndex } from '../src/flat/open-flat-index.js';
import { createVectorSync } from '../src/sync/create-vector-sync.js';
import type { EvalSet, ImportLine } from './eval-set.js';

const PER_IMPORT = 500;

/** A temporary data folder with the records of a set. It contains vectors if an embedder is passed. */
export interface EvalHome extends Disposable {
  dataDir: string;
  database: string;
}

export async function createEvalHome(
  set: EvalSet,
  { embedder }: { embedder: Embedder | null },
): Promise<EvalHome> {
  const dataDir = mkdtempSync(join(tmpdir(), 'claude-mem-eval-'));
  const database = join(dataDir, 'claude-mem.db');
  const home = {
    dataDir,
    database,
    [Symbol.dispose]: () => rmSync(dataDir, { recursive: true, force: true }),
  };
  try {
    await fill(home, set, embedder);
    return home;
  } catch (error) {
    home[Symbol.dispose]();
    throw error;
  }
}

async function fill({ dataDir, database }: EvalHome, set: EvalSet, embedder: Embedder | null): Promise<void> {
  await using storage = await openStorage({ file: database, backupsDir: join(dataDir, 'backups') });
  const records = set.lines.map(importedObservation);
  for (let at = 0; at < records.length; at += PER_IMPORT) {
    const { failed } = await storage.store.importRecords(records.slice(at, at + PER_IMPORT), {
      now: Date.now(),
    });
    const [first] = failed;
    if (first)
      throw new Error(`${set.name}: ${records[at + first.index]?.uid} cannot be imported: ${first.reason}`);
  }
  await storage.maintain();
  if (embedder) await fillVectors(storage, database, embedder);
}

async function fillVectors(storage: Storage, database: string, embedder: Embedder): Promise<void> {
  await using reader = openStorageReader({ file: database });
  await using index = openFlatIndex({
    tables: reader.searchTables,
    writer: storage.vectors,
    model: embedder.model,
  });
  const sync = createVectorSync({
    outbox: storage.vectors,
    embedder,
    index,
    clock: systemClock,
    logger: noopLogger,
  });
  const { waiting, problem } = await sync.drain();
  if (waiting > 0)
    throw new Error(`${waiting} observations are without vectors: ${problem ?? 'no reason given'}`);
}

function importedObservation(line: ImportLine): ImportedObservation {
  return {
    uid: line.uid,
    project: line.project,
    session: line.session,
    promptNumber: line.prompt_number,
    createdAtEpoch: Date.parse(line.created_at),
    type: line.type ?? 'discovery',
    title: line.title ?? null,
    subtitle: null,
    narrative: line.narrative ?? null,
    facts: (line.facts ?? []).map((fact) => (typeof fact === 'string' ? { text: fact, origin: null } : fact)),
    concepts: line.concepts ?? [],
    filesRead: line.files_read ?? [],
    filesModified: line.files_modified ?? [],
    // The import removes the origin `user` from the facts of records without a source.
    source: 'observer',
  };
}
