import { execFileSync } from 'node:child_process';
import { noopLogger, systemClock, type ImportedObservation } from '@claude-mem/core';
import type { Memory } from '@claude-mem/search';
import { loadSettings } from '@claude-mem/settings';
import { openStorage } from '@claude-mem/storage';
import { expect, it } from 'vitest';
import { createBranchRecords } from '@claude-mem/capture';
import { createTestHome, until } from '../testing/start-test-worker.js';
import { createSearching } from './create-searching.js';
import { openSearchParts } from './open-search-parts.js';

const log = noopLogger;
const clock = systemClock;
const RECORD: ImportedObservation = {
  uid: 'u-1',
  project: '/shop',
  session: null,
  promptNumber: 0,
  createdAtEpoch: 1,
  type: 'bugfix',
  title: 'Tariffs are rounded late',
  subtitle: null,
  narrative: null,
  facts: [],
  concepts: [],
  filesRead: [],
  filesModified: [],
};

const quiet = {
  settingsChanged: ({ signal }: { signal: AbortSignal }) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
  lastEventAt: () => 0,
  clock,
  log,
};

it('opens the search while idle, so that the first session start on a branch gets matching records', async () => {
  using home = createTestHome();
  execFileSync('git', ['init', '-q', '-b', 'ada/round-tariffs'], { cwd: home.project, stdio: 'pipe' });
  const env = { CLAUDE_MEM_DATA_DIR: home.paths.dataDir, CLAUDE_MEM_EMBEDDER: 'none' };
  const { settings, paths } = loadSettings({ env, home: home.home });
  await using storage = await openStorage({ file: paths.database, backupsDir: paths.backupsDir });
  const { store } = storage;
  await store.importRecords([RECORD], { now: 1 });
  const over = new AbortController();
  const searching = createSearching({
    ...quiet,
    storage,
    openParts: (current) => openSearchParts({ paths, settings: current, storage, clock, log }),
    settings: () => settings,
    signal: over.signal,
  });
  const running = searching.run();
  await until(() => searching.isOpen());
  const { memory, isOpen: isMemoryOpen } = searching;
  const recordsOf = createBranchRecords({ memory, isMemoryOpen, store, clock, log });
  expect(await recordsOf(home.project, '/shop')).toMatchObject([{ title: 'Tariffs are rounded late' }]);
  over.abort();
  await running;
  await searching.close();
}, 30_000);

it('warms up the queries of the viewer once, with lexical search only', async () => {
  using home = createTestHome();
  const { settings, paths } = loadSettings({
    env: { CLAUDE_MEM_DATA_DIR: home.paths.dataDir },
    home: home.home,
  });
  await using storage = await openStorage({ file: paths.database, backupsDir: paths.backupsDir });
  await storage.store.importRecords([RECORD], { now: 1 });
  const answered: unknown[] = [];
  const over = new AbortController();
  const searching = createSearching({
    ...quiet,
    storage,
    async openParts(current) {
      const parts = await openSearchParts({ paths, settings: current, storage, clock, log });
      const memory = await parts.memory();
      const { facets, search } = memory;
      const watched: Memory = {
        ...memory,
        async facets(request) {
          const counts = await facets(request);
          answered.push(counts.total);
          return counts;
        },
        async search(request) {
          const answer = await search(request);
          answered.push([answer.strategy, answer.items.length]);
          return answer;
        },
      };
      return { ...parts, memory: async () => watched };
    },
    settings: () => settings,
    signal: over.signal,
  });
  searching.prepareForViewer();
  searching.prepareForViewer();
  await until(() => answered.length >= 3);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(answered).toEqual([1, ['filters', 1], ['lexical', 1]]);
  over.abort();
  await searching.close();
}, 30_000);

it('stops immediately while it warms up', async () => {
  using home = createTestHome();
  const { settings, paths } = loadSettings({
    env: { CLAUDE_MEM_DATA_DIR: home.paths.dataDir, CLAUDE_MEM_EMBEDDER: 'none' },
    home: home.home,
  });
  await using storage = await openStorage({ file: paths.database, backupsDir: paths.backupsDir });
  await storage.store.importRecords([RECORD], { now: 1 });
  const over = new AbortController();
  let isAsked = false;
  const searching = createSearching({
    ...quiet,
    storage,
    async openParts(current) {
      const parts = await openSearchParts({ paths, settings: current, storage, clock, log });
      const memory: Memory = {
        ...(await parts.memory()),
        search() {
          isAsked = true;
          return new Promise(() => undefined);
        },
      };
      return { ...parts, memory: async () => memory };
    },
    settings: () => settings,
    signal: over.signal,
  });
  const running = searching.run();
  await until(() => isAsked);
  over.abort();
  await running;
  await searching.close();
}, 30_000);
