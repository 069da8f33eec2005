import { toFacts } from '@claude-mem/core';
import { openStorageReader } from '@claude-mem/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EMPTY_OBSERVATION } from '../__fixtures__/empty-observation.js';
import { openTestMemory, START, type TestMemory } from '../__fixtures__/open-test-memory.js';
import { openFlatIndex } from '../flat/open-flat-index.js';
import type { SearchAnswer } from '../memory.js';
import type { Embedder } from '../ports/embedder.js';
import { createVectorSync } from '../sync/create-vector-sync.js';
import { createHashingEmbedder } from '../testing/create-hashing-embedder.js';

let test: TestMemory;

beforeEach(async () => {
  test = await openTestMemory();
});
afterEach(() => test[Symbol.asyncDispose]());

const embedder = (model = 'test') => createHashingEmbedder({ model });
const titles = (answer: SearchAnswer<{ title: string | null }>) => answer.items.map(({ item }) => item.title);
const reasons = ({ degraded }: SearchAnswer<unknown>) => degraded.map(({ reason }) => reason);

/** Runs the background work of the worker at once. */
async function sync(given: Embedder): Promise<void> {
  await using reader = openStorageReader({ file: test.file });
  const outbox = test.storage.vectors;
  const index = openFlatIndex({ tables: reader.searchTables, writer: outbox, model: given.model });
  await createVectorSync({ outbox, embedder: given, index }).drain();
}

describe('vectors of the flat index', () => {
  it('are used as soon as they are stored, and missing vectors are reported', async () => {
    await test.remember({ title: 'The webhook is signed' });
    const memory = await test.open({ vectors: 'flat', embedder: embedder() });
    const find = () => memory.search({ query: 'signed webhook' });
    expect(await find()).toMatchObject({ strategy: 'lexical' });
    expect(reasons(await find())).toEqual(['no vectors are stored yet']);
    await sync(embedder());
    expect(await find()).toMatchObject({ strategy: 'hybrid', degraded: [] });
    await test.remember({ title: 'The webhook is sent' });
    const half = await find();
    expect(titles(half)).toEqual(['The webhook is signed', 'The webhook is sent']);
    expect(half.strategy).toBe('hybrid');
    expect(reasons(half)).toEqual(['1 observation has no vectors yet']);
    await sync(embedder());
    expect(await find()).toMatchObject({ strategy: 'hybrid', degraded: [] });
    expect((await memory.status()).vectors).toEqual({
      index: 'flat',
      model: 'test',
      documents: 2,
      waiting: 0,
      problem: null,
    });
  });

  it('B134: are not used and reported when they belong to another model, until they are replaced', async () => {
    await test.remember({ title: 'The webhook is signed' });
    await sync(embedder('older'));
    const wide = createHashingEmbedder({ model: 'newer', dimensions: 384 });
    const memory = await test.open({ vectors: 'flat', embedder: wide });
    const find = () => memory.search({ query: 'webhook' });
    const before = await find();
    expect(titles(before)).toEqual(['The webhook is signed']);
    expect(before.strategy).toBe('lexical');
    expect(reasons(before)).toEqual([
      'the stored vectors are of another model (older, not newer); the worker makes them anew',
    ]);
    await sync(createHashingEmbedder({ model: 'newer', dimensions: 384 }));
    expect(await find()).toMatchObject({ strategy: 'hybrid', degraded: [] });
  });

  it('B078: are deleted with their record', async () => {
    const gone = await test.remember({ title: 'The webhook is signed' });
    await test.remember({ title: 'Another matter' });
    await sync(embedder());
    const memory = await test.open({ vectors: 'flat', embedder: embedder() });
    expect(titles(await memory.search({ query: '???webhook' }))).toContain('The webhook is signed');
    await test.storage.store.forget({ ids: [gone.id], now: 0 });
    expect(titles(await memory.search({ query: 'webhook' }))).not.toContain('The webhook is signed');
    expect((await memory.status()).vectors.documents).toBe(1);
  });

  it('find a record by a single fact', async () => {
    await test.remember({
      title: 'Work on the shop',
      narrative: 'Many things were done on many days.',
      facts: toFacts(['The cart is kept for a week', 'Postgres listens on 5433'], null),
    });
    await test.remember({ title: 'Other work', session: 'b' });
    await sync(embedder());
    const memory = await test.open({ vectors: 'flat', embedder: embedder() });
    const { items } = await memory.search({ query: 'postgres listens on 5433', explain: true });
    const part = items[0]?.parts?.find(({ name }) => name === 'semantic');
    expect(part?.detail).toMatch(/^obs_1_fact_1 /);
  });

  it('find the records of a host or session when many records of others are nearer', async () => {
    // Of equal vectors, newer ones come first.
    const kept = await test.remember({ title: 'The webhook is signed', host: 'cursor', session: 'kept' });
    const others = Array.from({ length: 1_100 }, (_, at) => ({
      ...EMPTY_OBSERVATION,
      uid: `other-${at}`,
      project: '/home/dev/shop',
      session: null,
      promptNumber: 0,
      createdAtEpoch: START,
      title: `Other ${at}`,
    }));
    await test.storage.store.importRecords(others, { now: START });
    const query = { query: 'elsewhere' };
    const [vector] = await embedder().embed([query.query], { for: 'query' });
    await using reader = openStorageReader({ file: test.file });
    const writer = test.storage.vectors;
    await using index = openFlatIndex({ tables: reader.searchTables, writer, model: 'test' });
    const { observations } = await test.storage.store.stats();
    await index.upsert(
      Array.from({ length: observations }, (_, at) => at + 1).map((id) => ({
        id: `obs_${id}_narrative`,
        vector: vector!,
        contentHash: '',
        metadata: { observationId: id, projectId: 1, type: 'discovery', createdAtEpoch: START },
      })),
    );
    const memory = await test.open({ vectors: 'flat', embedder: embedder() });
    expect(titles(await memory.search(query))).not.toContain('The webhook is signed');
    for (const filter of [{ host: 'cursor' as const }, { session: 'kept' }]) {
      expect(await memory.search({ ...query, ...filter })).toMatchObject({
        items: [{ item: { id: kept.id }, host: 'cursor' }],
        strategy: 'semantic',
      });
    }
  });
});
