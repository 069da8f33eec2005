import { openStorageReader } from '@claude-mem/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nearestOf } from '../__fixtures__/nearest-of.js';
import { openTestMemory, type TestMemory } from '../__fixtures__/open-test-memory.js';
import { createUseLiteEmbedder } from '../embedders/use-lite/index.js';
import { openFlatIndex } from '../flat/open-flat-index.js';
import type { Embedder } from '../ports/embedder.js';
import { createVectorSync } from '../sync/create-vector-sync.js';
import { createHashingEmbedder } from '../testing/create-hashing-embedder.js';

let test: TestMemory;

beforeEach(async () => {
  test = await openTestMemory();
});
afterEach(() => test[Symbol.asyncDispose]());

const embedderThat = (embed: Embedder['embed']): Embedder => ({ ...createHashingEmbedder(), embed });
const NOTHING = { items: [], strategy: 'lexical', degraded: [], hasMore: false };

describe('a query that has no vector', () => {
  it('uses lexical search without a degraded status when the model knows no word', async () => {
    const found = await test.remember({ title: 'The webhook is signed' });
    await test.storage.vectors.useTarget('fake');
    const memory = await test.open({
      vectors: nearestOf([found]),
      embedder: embedderThat(async (texts) => texts.map(() => new Float32Array(2))),
    });
    expect(await memory.search({ query: 'asdfqwer' })).toEqual(NOTHING);
    expect(await memory.searchSessions({ query: 'asdfqwer' })).toEqual(NOTHING);
    expect((await memory.timeline({ anchor: { query: 'asdfqwer' } })).entries).toEqual([]);
    const answer = await memory.search({ query: 'webhook' });
    expect(answer).toMatchObject({ strategy: 'lexical', degraded: [], items: [{ item: { id: found.id } }] });
  });

  it.each(['"', '*', '!!!', '( )', '→'])('finds nothing when it has no words: %s', async (query) => {
    const found = await test.remember({ title: 'The webhook is "signed" * !!! →' });
    const memory = await test.open({
      vectors: nearestOf([found]),
      embedder: embedderThat(async (texts) => texts.map(() => new Float32Array([1, 0]))),
    });
    expect(await memory.search({ query })).toEqual(NOTHING);
    expect(await memory.searchSessions({ query })).toEqual(NOTHING);
  });

  it('is recognized by the use-lite model', async () => {
    await test.remember({ title: 'SMTP credentials expired, outgoing mail was bouncing' });
    await test.remember({ title: '部署脚本 🎉' });
    await using embedder = createUseLiteEmbedder();
    await using reader = openStorageReader({ file: test.file });
    const outbox = test.storage.vectors;
    const index = openFlatIndex({
      tables: reader.searchTables,
      writer: outbox,
      model: embedder.model,
    });
    await createVectorSync({ outbox, embedder, index }).drain();
    const memory = await test.open({ vectors: 'flat', embedder, vectorTimeoutMs: 30_000 });
    for (const query of ['asdfqwer', '🦄', '天气', 'zzz'])
      expect(await memory.search({ query })).toEqual(NOTHING);
    const titles = async (query: string) =>
      (await memory.search({ query })).items.map(({ item }) => item.title);
    expect((await titles('emails do not arrive'))[0]).toMatch(/^SMTP/);
    expect(await titles('部署')).toEqual(['部署脚本 🎉']);
  });
});
