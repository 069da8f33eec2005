import { toFacts, type ImportedObservation } from '@claude-mem/core';
import { openStorageReader } from '@claude-mem/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestMemory, type TestMemory } from '../__fixtures__/open-test-memory.js';
import { createUseLiteEmbedder } from '../embedders/use-lite/index.js';
import { openFlatIndex } from '../flat/open-flat-index.js';
import type { Embedder } from '../ports/embedder.js';
import { createHashingEmbedder } from '../testing/create-hashing-embedder.js';
import { createVectorSync } from './create-vector-sync.js';

describe('vector sync from a database into the flat index', () => {
  let memory: TestMemory;
  const opened: AsyncDisposable[] = [];
  beforeEach(async () => {
    memory = await openTestMemory();
  });
  afterEach(async () => {
    for (const one of opened.splice(0).toReversed()) await one[Symbol.asyncDispose]();
    await memory[Symbol.asyncDispose]();
  });

  /** As after a start of the worker. */
  async function open(embedder: Embedder) {
    const { vectors } = memory.storage;
    const reader = await openStorageReader({ file: memory.file });
    const index = openFlatIndex({ tables: reader.searchTables, writer: vectors, model: embedder.model });
    opened.push(reader, index);
    let texts = 0;
    const counting: Embedder = {
      ...embedder,
      embed(some, options) {
        texts += some.length;
        return embedder.embed(some, options);
      },
    };
    const sync = createVectorSync({ outbox: vectors, embedder: counting, index });
    const find = async (query: string) => {
      const [vector] = await embedder.embed([query], { for: 'query' });
      const hits = await index.nearest({ vector: vector as Float32Array, limit: 3 });
      return hits.map(({ id }) => id);
    };
    return { sync, index, find, texts: () => texts };
  }
  const fill = async (count: number) => {
    const records = Array.from({ length: count }, (_, number): ImportedObservation => ({
      uid: `record-${number}`,
      project: '/home/dev/shop',
      session: 'one',
      promptNumber: 1,
      createdAtEpoch: 1_000 + number,
      type: 'discovery',
      title: `Title ${number}`,
      subtitle: null,
      narrative: number % 2 === 0 ? `Narrative of number ${number}` : null,
      facts: toFacts([`Fact ${number}`], null),
      concepts: [],
      filesRead: [],
      filesModified: [],
    }));
    await memory.storage.store.importRecords(records, { now: 5_000 });
  };

  it('B135: embeds nothing again after a restart', async () => {
    await fill(1_000);
    const first = await open(createHashingEmbedder());
    expect(await first.sync.drain()).toMatchObject({
      waiting: 0,
      failed: 0,
      problem: null,
      completed: 1_000,
    });
    expect(await first.index.count()).toBe(2_000);
    expect(first.texts()).toBe(2_000);
    const second = await open(createHashingEmbedder());
    expect(await second.sync.drain()).toMatchObject({ waiting: 0, completed: 0 });
    expect(second.texts()).toBe(0);
    expect(await second.find('Narrative of number 500')).toContain('obs_501_narrative');
  });

  it('B078: removes the vectors of deleted records', async () => {
    await fill(3);
    const { sync, index, find } = await open(createHashingEmbedder());
    await sync.drain();
    expect(await find('Fact 1')).toContain('obs_2_fact_0');
    await memory.storage.store.forget({ ids: [2], now: 0 });
    expect(await find('Fact 1')).not.toContain('obs_2_fact_0');
    expect(await sync.drain()).toMatchObject({ waiting: 0, failed: 0 });
    expect(await index.count()).toBe(4);
  });

  it('B134: replaces all vectors when the model changes', async () => {
    await fill(40);
    const old = await open(createHashingEmbedder({ dimensions: 64 }));
    await old.sync.drain();
    const renewed = await open(createHashingEmbedder({ dimensions: 128 }));
    expect(await renewed.find('Fact 7')).toEqual([]);
    expect(await renewed.sync.drain()).toMatchObject({ waiting: 0, failed: 0, completed: 40 });
    expect(await renewed.find('Fact 7')).toContain('obs_8_fact_0');
    expect(await renewed.index.count()).toBe(80);
    expect(await old.index.count()).toBe(0);
  });

  it('embeds everything again on rebuild', async () => {
    await fill(20);
    const { sync, index, texts } = await open(createHashingEmbedder());
    await sync.drain();
    expect(await sync.rebuild()).toEqual({ waiting: 20 });
    expect(await index.count()).toBe(0);
    await sync.drain();
    expect(await index.count()).toBe(40);
    expect(texts()).toBe(80);
  });

  it('finds a record by meaning with use-lite', async () => {
    await using embedder = createUseLiteEmbedder();
    const { id } = await memory.remember({
      title: 'Outgoing mail',
      facts: toFacts(['SMTP credentials expired, outgoing mail was bouncing'], null),
    });
    await memory.remember({ title: 'Dark mode', narrative: 'Increased contrast of labels in dark mode' });
    await memory.remember({ title: 'Settings', narrative: 'Split the settings page into sections' });
    const { sync, find } = await open(embedder);
    expect(await sync.drain()).toMatchObject({ waiting: 0, failed: 0, problem: null });
    expect((await find('emails do not arrive'))[0]).toMatch(`obs_${id}_`);
  });
});
