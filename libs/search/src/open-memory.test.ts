import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inLockedFolder } from '@claude-mem/core/testing';
import { openStorage } from '@claude-mem/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestMemory, START, type TestMemory } from './__fixtures__/open-test-memory.js';
import { nearestOf } from './__fixtures__/nearest-of.js';
import { openMemory } from './open-memory.js';
import { createHashingEmbedder } from './testing/create-hashing-embedder.js';

let test: TestMemory;

beforeEach(async () => {
  test = await openTestMemory();
});
afterEach(() => test[Symbol.asyncDispose]());

describe('opening a memory', () => {
  it('rejects with search/no-memory and creates no file when there is no database', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'claude-mem-empty-'));
    const dataDir = path.join(folder, 'not', 'there');
    await expect(openMemory({ dataDir })).rejects.toMatchObject({
      code: 'search/no-memory',
      message: expect.stringContaining(dataDir) as string,
    });
    await expect(openMemory({ dataDir: folder })).rejects.toMatchObject({ code: 'search/no-memory' });
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it('rejects with the reason when the file is not a claude-mem database', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'claude-mem-foreign-'));
    writeFileSync(path.join(folder, 'claude-mem.db'), 'x'.repeat(5_000));
    await expect(openMemory({ dataDir: folder })).rejects.toMatchObject({
      code: 'search/no-memory',
      message: expect.stringContaining('not a claude-mem database') as string,
    });
    rmSync(folder, { recursive: true });
  });

  it('returns the origin of each fact', async () => {
    const facts = [
      { text: 'Prices are in cents', origin: 'user' },
      { text: 'Known from before', origin: null },
    ] as const;
    await test.remember({ title: 'The parser', facts });
    await using memory = await test.open();
    const { items } = await memory.search({ query: 'parser' });
    expect(items).toMatchObject([{ item: { facts } }]);
  });

  it('leaves contents and times of all files unchanged when it searches beside a writer', async () => {
    await test.remember({ title: 'The parser' });
    const look = () =>
      readdirSync(test.dataDir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.endsWith('-shm'))
        .map((entry) => {
          const file = path.join(entry.parentPath, entry.name);
          return [file, statSync(file).mtimeMs, readFileSync(file).toString('base64')];
        });
    const before = look();
    const memory = await test.open({ vectors: 'flat', embedder: createHashingEmbedder() });
    await memory.search({ query: 'parser' });
    await memory.searchSessions({ query: 'parser' });
    await memory.status();
    await memory.close();
    expect(look()).toEqual(before);
  });

  it.skipIf(process.platform === 'win32')(
    'B164: reads a database in a read-only folder, and reads the database again when it was written',
    async () => {
      const { id } = await test.remember({ title: 'The parser' });
      await test.storage.close();
      const options = { vectors: 'flat', embedder: createHashingEmbedder() } as const;
      const memory = await inLockedFolder(test.dataDir, () => test.open(options));
      const titles = async () =>
        (await memory.search({ query: 'parser' })).items.map(({ item }) => item.title);
      await inLockedFolder(test.dataDir, async () => {
        expect(await titles()).toEqual(['The parser']);
        expect((await memory.timeline({ anchor: id })).entries).toHaveLength(1);
      });
      await using again = await openStorage({
        file: test.file,
        backupsDir: path.join(test.dataDir, 'backups'),
      });
      await again.store.forget({ ids: [id], now: 0 });
      expect(await titles()).toEqual([]);
    },
  );

  it('includes records that are written after opening', async () => {
    const memory = await test.open();
    expect((await memory.search({})).items).toEqual([]);
    for (let number = 1; number <= 20; number += 1) {
      await test.remember({ title: `Record ${number}` });
      expect((await memory.search({ query: `record ${number}`, limit: 200 })).items).toHaveLength(number);
    }
  });

  it('continues with the new file when the database was replaced', async () => {
    await test.remember({ title: 'In the first' });
    const memory = await test.open();
    expect((await memory.search({ query: 'first' })).items).toHaveLength(1);
    const copy = path.join(test.dataDir, 'copy', 'claude-mem.db');
    const other = await openStorage({ file: copy, backupsDir: path.join(test.dataDir, 'copy') });
    await other.close();
    await test.storage.close();
    for (const side of ['-wal', '-shm']) rmSync(test.file + side, { force: true });
    renameSync(copy, test.file);
    expect((await memory.search({ query: 'first' })).items).toEqual([]);
    rmSync(test.file);
    await expect(memory.search({ query: 'first' })).rejects.toMatchObject({ code: 'search/no-memory' });
  });
});

describe('closing a memory', () => {
  it('is possible twice, and later calls are rejected with search/closed', async () => {
    const memory = await test.open();
    await Promise.all([memory.close(), memory.close()]);
    await memory[Symbol.asyncDispose]();
    await expect(memory.search({})).rejects.toMatchObject({ code: 'search/closed' });
    await expect(memory.status()).rejects.toMatchObject({ code: 'search/closed' });
  });

  it('waits for running searches and does not close an embedder or index of the caller', async () => {
    await test.remember({ title: 'The parser' });
    let closed = 0;
    const close = async () => void (closed += 1);
    const memory = await test.open({
      embedder: { ...createHashingEmbedder(), close },
      vectors: nearestOf([], { close, nearest: () => new Promise(() => undefined) }),
      vectorTimeoutMs: 60_000,
    });
    const running = memory.search({ query: 'parser' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await memory.close();
    expect((await running).items).toHaveLength(1);
    expect(closed).toBe(0);
  });
});

it('status reports the indexed records and the missing vectors', async () => {
  await test.remember({ title: 'The parser' });
  await test.ask('Fix the parser');
  await test.storage.vectors.useTarget('flat');
  const memory = await test.open();
  expect(await memory.status()).toEqual({
    observations: 1,
    lexical: { indexed: 2, total: 2 },
    vectors: { index: 'none', model: null, documents: 0, waiting: 1, problem: 'vectors are switched off' },
  });
});

it('reports the progress of an index that is being rebuilt, and its completion', async () => {
  for (let number = 0; number < 5; number += 1) await test.remember({ title: `The parser, part ${number}` });
  const memory = await test.open();
  const find = () => memory.search({ query: 'parser' });
  expect((await find()).items).toHaveLength(5);
  await test.storage.index.rebuild();
  await test.storage.index.step({ limit: 2 });
  const half = await find();
  expect(half.items.length).toBeLessThan(5);
  expect(half.degraded).toContainEqual({
    part: 'lexical',
    reason: `${half.items.length} of 5 records are in the index so far`,
  });
  expect((await memory.status()).lexical).toEqual({ indexed: half.items.length, total: 5 });
  while (!(await test.storage.index.step({ limit: 2 })).done);
  const full = await find();
  expect(full.items).toHaveLength(5);
  expect(full.degraded.map(({ part }) => part)).toEqual(['vectors']);
});

it('rejects a missing request in every method', async () => {
  const memory = await test.open();
  const nothing = undefined as never;
  for (const ask of [
    memory.search,
    memory.searchSessions,
    memory.searchUserPrompts,
    memory.advancedSearch,
    memory.getRecentContext,
    memory.getContextMaterial,
    memory.timeline,
    memory.getObservations,
    memory.findByConcept,
    memory.findByFile,
    memory.findByType,
  ])
    await expect(ask(nothing)).rejects.toMatchObject({ code: 'search/bad-request' });
});

describe('reading without searching', () => {
  it('returns observations in the order of the IDs', async () => {
    const [first, second] = [await test.remember({ title: 'One' }), await test.remember({ title: 'Two' })];
    const memory = await test.open();
    const read = async (ids: readonly number[]) => (await memory.getObservations(ids)).map(({ id }) => id);
    expect(await read([second.id, 999, first.id, second.id])).toEqual([second.id, first.id]);
    expect(await read([])).toEqual([]);
    for (const ids of [null, ['1'], [1.5], 7] as unknown as number[][])
      await expect(memory.getObservations(ids)).rejects.toMatchObject({ code: 'search/bad-request' });
  });

  it('rejects values that are not a request', async () => {
    const memory = await test.open();
    for (const request of [null, undefined, 'shop', ['shop']] as never[]) {
      const refused = { code: 'search/bad-request' };
      await expect(memory.search(request)).rejects.toMatchObject(refused);
      await expect(memory.timeline(request)).rejects.toMatchObject(refused);
      await expect(memory.getRecentContext(request)).rejects.toMatchObject(refused);
    }
  });

  it('lists the projects', async () => {
    await test.remember({ title: 'One' });
    const memory = await test.open();
    expect(await memory.listProjects()).toMatchObject([{ name: 'shop', observations: 1 }]);
  });

  it('returns pinned records, current records and summaries as context material', async () => {
    const old = await test.remember({ title: 'Use npm 10' });
    const kept = await test.remember({ title: 'Use npm 11' });
    const { store } = test.storage;
    for (const { id } of [old, kept]) await store.editObservation(id, { pinned: true }, START);
    await store.editObservation(old.id, { supersededBy: kept.id }, START);
    const news = await test.remember({ title: 'Raised the limit' });
    await test.remember({ title: 'Elsewhere', project: 'blog' });
    await test.summarize({ completed: 'All of it' });
    const memory = await test.open();
    const material = await memory.getContextMaterial({ project: 'shop' });
    expect(material?.pinned.map(({ id }) => id)).toEqual([kept.id]);
    expect(material?.observations.map(({ id }) => id)).toEqual([news.id, kept.id]);
    expect(material?.summaries).toHaveLength(1);
    expect(material?.totalObservations).toBe(3);
    const fewer = await memory.getContextMaterial({ project: 'shop', observations: 1, summaries: 0 });
    expect(fewer).toMatchObject({ observations: [{ id: news.id }], summaries: [] });
    expect(await memory.getContextMaterial({ project: 'no such' })).toBeNull();
  });

  it('returns the latest sessions of a project', async () => {
    await test.remember({ title: 'One', session: 'a' });
    await test.summarize({ completed: 'Half of it', session: 'a' });
    await test.summarize({ completed: 'All of it', session: 'a', prompt: 2 });
    await test.remember({ title: 'Two', session: 'b' });
    await test.remember({ title: 'Elsewhere', project: 'blog' });
    const memory = await test.open();
    const context = await memory.getRecentContext({ project: 'shop' });
    expect(context?.project.key).toBe('/home/dev/shop');
    expect(
      context?.sessions.map(({ session, summary, observations }) => [
        session.contentSessionId,
        summary?.completed,
        observations.map(({ title }) => title),
      ]),
    ).toEqual([
      ['b', undefined, ['Two']],
      ['a', 'All of it', ['One']],
    ]);
    expect(await memory.getRecentContext({ project: 'no such' })).toBeNull();
    expect((await memory.getRecentContext({ project: 'shop', sessions: 1 }))?.sessions).toHaveLength(1);
  });
});
