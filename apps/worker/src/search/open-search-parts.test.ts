import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noopLogger, systemClock, type ImportedObservation } from '@claude-mem/core';
import { loadSettings } from '@claude-mem/settings';
import { openStorage, StorageError } from '@claude-mem/storage';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSearchParts } from './open-search-parts.js';

const log = noopLogger;
const RECORD: ImportedObservation = {
  uid: 'u-1',
  project: '/shop',
  session: null,
  promptNumber: 0,
  createdAtEpoch: 1,
  type: 'bugfix',
  title: 'The webhook is signed',
  subtitle: null,
  narrative: null,
  facts: [],
  concepts: [],
  filesRead: [],
  filesModified: [],
};

let home: string;
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'cm-parts-'))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

const load = (env: Record<string, string> = {}) =>
  loadSettings({ env: { ...env, CLAUDE_MEM_DATA_DIR: home }, home });
const open = ({ database, backupsDir }: ReturnType<typeof load>['paths']) =>
  openStorage({ file: database, backupsDir });

it('searches when nothing can be written, for example when the disk is full', async () => {
  const { settings, paths } = load();
  await using storage = await open(paths);
  await storage.store.importRecords([RECORD], { now: 1 });
  const useTarget = async () => {
    throw new StorageError('storage/write-failed', 'the disk is full');
  };
  const full = { ...storage, vectors: { ...storage.vectors, useTarget } };
  const parts = await openSearchParts({ paths, settings, storage: full, clock: systemClock, log });
  const { items } = await (await parts.memory()).search({ query: 'webhook' });
  expect(items).toHaveLength(1);
  expect(parts.sync).not.toBeNull();
  await parts.close();
});

it.each([
  ['flat', 1],
  ['chroma', 2],
])('B078: sends earlier deletions only to a vector index outside the database: %s', async (name, waiting) => {
  const { settings, paths } = load({
    CLAUDE_MEM_VECTOR_INDEX: name,
    CLAUDE_MEM_CHROMA_URL: 'http://127.0.0.1:9',
  });
  await using storage = await open(paths);
  await storage.store.importRecords([RECORD, { ...RECORD, uid: 'u-2', title: 'Gone' }], { now: 1 });
  await storage.store.forget({ ids: [2], now: 0 });
  const parts = await openSearchParts({ paths, settings, storage, clock: systemClock, log });
  expect(await storage.vectors.counts()).toMatchObject({ waiting });
  await parts.close();
});
