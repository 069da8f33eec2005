import type { VectorOutbox } from '@claude-mem/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEvents } from '../__fixtures__/events.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';
import { draft, reply } from '../__fixtures__/replies.js';
import { openStorageReader } from '../open-storage-reader.js';
import type { SearchTables } from '../search/search-tables.js';
import type { StorageReader } from '../storage.js';

let test: TestStorage;
let reader: StorageReader;
let outbox: VectorOutbox;
let tables: SearchTables;
beforeEach(async () => {
  test = await openTestStorage();
  outbox = test.storage.vectors;
  reader = openStorageReader(test.place);
  tables = reader.searchTables;
});
afterEach(async () => {
  await reader.close();
  await test.dispose();
});

const NOW = Date.UTC(2026, 0, 2);

async function record(...titles: string[]) {
  const [first] = await test.storage.store.capture([createEvents().prompt('one', { dedupeKey: 'one' })]);
  await test.storage.store.commitReply(
    reply(first!.sessionId, { observations: titles.map((title) => draft({ title })) }),
  );
}

const due = async (now = NOW, limit = 100) =>
  (await outbox.next({ limit, now })).map(({ observationId }) => observationId);

const row = (
  observationId: number,
  more: Partial<Parameters<VectorOutbox['putVectors']>[0]['rows'][0]> = {},
) => ({
  documentId: `obs_${observationId}_narrative`,
  observationId,
  dimensions: 4,
  scale: 0.5,
  contentHash: `hash-${observationId}`,
  vector: Uint8Array.of(1, 2, 3, observationId),
  ...more,
});

describe('outbox', () => {
  it('stays empty until a target index is set, and then lists every observation, newest first', async () => {
    await record('one', 'two');
    expect(await outbox.counts()).toEqual({ waiting: 0, failed: 0, nextAvailableAt: null });
    expect(await outbox.useTarget('flat model-a')).toEqual({ waiting: 2 });
    expect(await outbox.next({ limit: 1, now: NOW })).toMatchObject([
      { observationId: 2, observation: { title: 'two' }, attempts: 0 },
    ]);
    expect(await due()).toEqual([2, 1]);
    expect(tables.outboxCount()).toBe(2);
  });

  it('B135: lists only uncompleted entries after a restart and queues nothing twice for the same index', async () => {
    await record('one', 'two', 'three');
    await outbox.useTarget('flat model-a');
    const entries = await outbox.next({ limit: 3, now: NOW });
    const [failed, ...done] = entries;
    await outbox.complete(done.map(({ id }) => id));
    await outbox.postpone({ ids: [failed!.id], availableAt: NOW + 60_000, error: 'no answer' });
    expect(await outbox.useTarget('flat model-a')).toEqual({ waiting: 1 });
    expect(await due()).toEqual([]);
    expect(await outbox.counts()).toEqual({ waiting: 1, failed: 1, nextAvailableAt: NOW + 60_000 });
    expect(await outbox.next({ limit: 3, now: NOW + 60_000 })).toMatchObject([
      { observationId: 3, attempts: 1 },
    ]);
  });

  it('B134: is refilled when the model changes', async () => {
    await record('one', 'two');
    await outbox.useTarget('flat model-a');
    await outbox.complete((await outbox.next({ limit: 9, now: NOW })).map(({ id }) => id));
    expect(await outbox.useTarget('flat model-b')).toEqual({ waiting: 2 });
  });

  it('B078: includes the deletions since then when a former target index is used again', async () => {
    await record('one', 'two', 'three');
    await outbox.useTarget('chroma model-a');
    await outbox.useTarget('flat model-a');
    await test.storage.store.forget({ ids: [1, 3], now: 0 });
    await outbox.useTarget('flat model-b');
    expect(await due()).toEqual([2]);
    await outbox.useTarget('chroma model-a', { withRemoved: true });
    expect(await due()).toEqual([2, 1, 3]);
    expect(await outbox.next({ limit: 9, now: NOW })).toMatchObject([
      { observation: { title: 'two' } },
      { observation: null },
      { observation: null },
    ]);
    expect(await outbox.useTarget('chroma model-a')).toEqual({ waiting: 3 });
  });

  it('lists added, changed and removed observations in the same transaction', async () => {
    await record('one');
    await outbox.useTarget('flat model-a');
    const [first] = await outbox.next({ limit: 9, now: NOW });
    await record('two');
    expect(await due()).toEqual([2, 1]);
    test.tamper((database) => database.exec(`UPDATE observations SET title = 'new' WHERE id = 1`));
    await outbox.complete([first!.id]);
    expect(await outbox.next({ limit: 9, now: NOW })).toMatchObject([
      { observationId: 1, observation: { title: 'new' } },
      { observationId: 2 },
    ]);
    test.tamper((database) => database.exec('DELETE FROM observations WHERE id = 2'));
    expect(await outbox.next({ limit: 1, now: NOW })).toMatchObject([
      { observationId: 2, observation: null },
    ]);
    test.tamper((database) => database.exec('UPDATE observations SET pinned = 1'));
    expect(await outbox.counts()).toMatchObject({ waiting: 2 });
  });
});

describe('stored vectors', () => {
  it('B133: replace the vector of the same document with a new row', async () => {
    await record('one', 'two');
    const put = (vector: Uint8Array) =>
      outbox.putVectors({ model: 'a', rows: [row(1, { vector }), row(1, { vector }), row(2)], now: NOW });
    await put(Uint8Array.of(1));
    await put(Uint8Array.of(9));
    const rows = [...tables.vectorsAfter(0, 'a')];
    expect(
      rows.map(([, observationId, documentId, scale, vector]) => [
        observationId,
        documentId,
        scale,
        [...vector],
      ]),
    ).toEqual([
      [1, 'obs_1_narrative', 0.5, [9]],
      [2, 'obs_2_narrative', 0.5, [1, 2, 3, 2]],
    ]);
    const firstId = rows[0]![0];
    expect([...tables.vectorsAfter(firstId, 'a')]).toHaveLength(1);
    expect(tables.removalsAfter(0).map(({ vectorId }) => vectorId)).toEqual([1, 2, 4, 3]);
    expect(tables.vectorsById([firstId, 999])).toMatchObject([{ id: firstId, observationId: 1 }]);
    expect(await outbox.vectorHashes({ model: 'a', observationIds: [2, 1] })).toEqual([
      { documentId: 'obs_1_narrative', observationId: 1, contentHash: 'hash-1' },
      { documentId: 'obs_2_narrative', observationId: 2, contentHash: 'hash-2' },
    ]);
    expect(await outbox.vectorHashes({ model: 'b', observationIds: [1] })).toEqual([]);
  });

  it('B078: are deleted with their observation and not stored afterwards', async () => {
    await record('one', 'two');
    await outbox.putVectors({ model: 'a', rows: [row(1), row(2)], now: NOW });
    test.tamper((database) => database.exec('DELETE FROM observations WHERE id = 1'));
    expect(await outbox.vectorHashes({ model: 'a', observationIds: [1, 2] })).toHaveLength(1);
    await outbox.putVectors({ model: 'a', rows: [row(1)], now: NOW });
    expect([...tables.vectorsAfter(0, 'a')].map(([, observationId]) => observationId)).toEqual([2]);
  });

  it('are listed and counted by model, and removed by observation, document or model', async () => {
    const count = 600;
    await record(...Array.from({ length: count }, (_, index) => `number ${index}`));
    const all = Array.from({ length: count }, (_, index) => row(index + 1));
    for (const model of ['a', 'b']) await outbox.putVectors({ model, rows: all, now: NOW });
    expect([...tables.vectorsAfter(0, 'a')].map(([, id]) => id)).toEqual(
      all.map(({ observationId }) => observationId),
    );
    expect(tables.vectorModels()).toEqual([
      { model: 'a', dimensions: 4, count },
      { model: 'b', dimensions: 4, count },
    ]);
    expect(await outbox.removeVectors({ observationIds: [1, 2] })).toBe(4);
    expect(await outbox.removeVectors({ documentIds: ['obs_3_narrative', 'unknown'] })).toBe(2);
    expect(await outbox.removeVectors({ otherThanModel: 'a' })).toBe(count - 3);
    expect(await outbox.removeVectors({})).toBe(0);
    expect(tables.vectorModels()).toEqual([{ model: 'a', dimensions: 4, count: count - 3 }]);
    expect(await outbox.removeVectors({ all: true })).toBe(count - 3);
    expect([...tables.vectorsAfter(0, 'a')]).toEqual([]);
  });
});

describe('damage to vector tables', () => {
  it('queues observations with damaged vectors again during maintenance', async () => {
    await record('one', 'two', 'three');
    await outbox.useTarget('flat a');
    const entries = await outbox.next({ limit: 10, now: NOW });
    await outbox.putVectors({
      model: 'a',
      rows: [1, 2, 3].flatMap((id) => [row(id), row(id, { documentId: `second of ${id}` })]),
      now: NOW,
    });
    await outbox.complete(entries.map(({ id }) => id));
    test.tamper((database) =>
      database.exec(`
        UPDATE vectors SET vector = substr(vector, 1, 1) WHERE id = (SELECT min(id) FROM vectors WHERE observation_id = 1);
        UPDATE vectors SET scale = 9e999 WHERE id = (SELECT min(id) FROM vectors WHERE observation_id = 3)`),
    );
    expect(await due()).toEqual([]);
    await test.clock.advance(25 * 60 * 60 * 1_000);
    await test.storage.maintain();
    expect([...(await due())].sort()).toEqual([1, 3]);
    const left = await outbox.vectorHashes({ model: 'a', observationIds: [1, 2, 3] });
    expect(left.map(({ observationId }) => observationId)).toEqual([2, 2]);
  });

  it.each(['search_state', 'vectors', 'index_outbox', 'search_state, vectors, index_outbox'])(
    'of the schema (%s) does not prevent observations from being queued',
    async (tablesGone) => {
      await record('one');
      await outbox.useTarget('flat a');
      test.tamper((database) => {
        for (const table of tablesGone.split(', ')) database.exec(`DROP TABLE ${table}`);
      });
      await test.storage.maintain();
      expect(await due()).toEqual([1]);
      await outbox.complete((await outbox.next({ limit: 10, now: NOW })).map(({ id }) => id));
      const events = createEvents('two');
      const [first] = await test.storage.store.capture([events.prompt('two')]);
      await test.storage.store.commitReply(
        reply(first!.sessionId, { observations: [draft({ title: 'two' })] }),
      );
      expect(await due()).toEqual([2]);
    },
  );
});
