import { wordsOf } from '@claude-mem/lexical-index/analysis';
import { NEUTRAL_PROJECT, toFacts, type ImportedObservation, type ImportedRecord } from '@claude-mem/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEvents } from '../__fixtures__/events.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';
import { draft, reply } from '../__fixtures__/replies.js';
import { LIST_LIMITS, TEXT_LIMITS } from '../limits.js';
import { openStorageReader } from '../open-storage-reader.js';

let test: TestStorage;
beforeEach(async () => {
  test = await openTestStorage();
});
afterEach(() => test.dispose());

const NOW = Date.UTC(2026, 0, 2);
const DAY = 24 * 60 * 60 * 1_000;

function imported(uid: string, more: Partial<ImportedObservation> = {}): ImportedObservation {
  return {
    ...draft({ title: `Title of ${uid}` }),
    uid,
    project: '/repos/demo',
    session: 's-1',
    promptNumber: 2,
    createdAtEpoch: NOW - DAY,
    ...more,
  };
}

const take = (...records: ImportedObservation[]) => test.storage.store.importRecords(records, { now: NOW });
const found = (word: string) => {
  const reader = openStorageReader(test.place);
  const hits = reader.searchTables.matchSyntax('observation', `"${wordsOf(word).join(' ')}"`, 100);
  void reader.close();
  return hits!.map(({ recordId }) => recordId);
};

describe('importRecords', () => {
  it('stores records with their sessions and projects and makes them searchable at once', async () => {
    expect(await take(imported('a'), imported('b', { createdAtEpoch: NOW, promptNumber: 5 }))).toMatchObject({
      inserted: 2,
      known: 0,
      forgotten: 0,
      failed: [],
    });
    const { store } = test.storage;
    const [first] = await store.observationsByIds([1]);
    expect(first).toMatchObject({
      ...draft({ title: 'Title of a' }),
      uid: 'a',
      source: 'import',
      promptNumber: 2,
      createdAtEpoch: NOW - DAY,
    });
    expect(await store.getProject(first!.projectId)).toMatchObject({ key: '/repos/demo', name: 'demo' });
    expect(await store.findSession({ host: 'import', contentSessionId: 's-1' })).toMatchObject({
      projectId: first!.projectId,
      status: 'completed',
      promptCounter: 5,
      createdAtEpoch: NOW - DAY,
      lastActivityEpoch: NOW,
    });
    expect(found('title')).toEqual([2, 1]);
    expect((await store.stats()).observations).toBe(2);
  });

  it('recognizes stored records by their UID or by their content', async () => {
    const [captured] = await test.storage.store.capture([createEvents('host-1').prompt('one')]);
    await test.storage.store.commitReply(reply(captured!.sessionId, { observations: [draft()] }));
    const same = { ...imported('c', draft()), session: 'host-1', project: null };
    expect(await take(imported('a'), imported('a', { title: 'changed' }), same)).toMatchObject({
      inserted: 1,
      known: 2,
      forgotten: 0,
      failed: [],
    });
    expect(await take(imported('a'), same)).toMatchObject({ inserted: 0, known: 2 });
    expect((await test.storage.store.stats()).observations).toBe(2);
  });

  it('assigns a record to the existing session of a host when it names that session', async () => {
    const [captured] = await test.storage.store.capture([createEvents('host-1').prompt('one')]);
    await take(imported('a', { session: 'host-1', project: null }));
    const [stored] = await test.storage.store.observationsByIds([1]);
    expect(stored).toMatchObject({ sessionId: captured!.sessionId, projectId: captured!.projectId });
  });

  it('keeps sessions separate when two projects have sessions of the same name', async () => {
    await take(
      imported('a', { project: '/repos/one' }),
      imported('b', { project: '/repos/two' }),
      imported('c', { project: '/repos/two' }),
      imported('d', { project: '/repos/one' }),
    );
    const [a, b, c, d] = await test.storage.store.observationsByIds([1, 2, 3, 4]);
    expect(a!.sessionId).toBe(d!.sessionId);
    expect(b!.sessionId).toBe(c!.sessionId);
    expect(a!.sessionId).not.toBe(b!.sessionId);
    await take(imported('e', { project: '/repos/two', title: 'later' }));
    expect((await test.storage.store.observationsByIds([5]))[0]!.sessionId).toBe(b!.sessionId);
  });

  it('finds a project by key or name, and uses the neutral project when a record names none', async () => {
    const [captured] = await test.storage.store.capture([createEvents('host-1').prompt('one')]);
    await take(
      imported('a', { project: 'shop' }),
      imported('b', { project: '/home/dev/shop' }),
      imported('c', { project: 'notes' }),
      imported('d', { project: null, session: null }),
      imported('e', { project: 'C:\\repos\\win', session: null }),
    );
    const stored = await test.storage.store.observationsByIds([1, 2, 3, 4, 5]);
    const projects = await Promise.all(
      stored.map(({ projectId }) => test.storage.store.getProject(projectId)),
    );
    expect(stored.slice(0, 2).map(({ projectId }) => projectId)).toEqual([
      captured!.projectId,
      captured!.projectId,
    ]);
    expect(projects.slice(2).map((project) => [project!.key, project!.name])).toEqual([
      ['notes', 'notes'],
      [NEUTRAL_PROJECT.key, NEUTRAL_PROJECT.name],
      ['C:\\repos\\win', 'win'],
    ]);
  });

  it('reports records that cannot be stored, and stores the others with cleaned and shortened texts', async () => {
    const none = { title: null, narrative: ' ', facts: toFacts([''], null) };
    const { inserted, failed } = await take(
      imported(' '),
      imported('x'.repeat(201)),
      imported('a', none),
      imported('b', { createdAtEpoch: Number.NaN }),
      imported('c', { promptNumber: -1 }),
      imported('d', {
        title: `${'x'.repeat(400)}`,
        narrative: 'a\u0000b \ud800',
        facts: toFacts(
          Array.from({ length: 100 }, (_, index) => `fact ${index}`),
          null,
        ),
        project: `/${'p'.repeat(5_000)}`,
        session: `${'s'.repeat(5_000)}\u0000`,
      }),
    );
    expect(inserted).toBe(1);
    expect(failed.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
    for (const { reason } of failed) expect(reason).toMatch(/^it/);
    const [stored] = await test.storage.store.observationsByIds([1]);
    expect(stored!.title).toHaveLength(TEXT_LIMITS.title);
    expect(stored!.narrative).toBe('a\u2400b \ufffd');
    expect(stored!.facts).toHaveLength(LIST_LIMITS.facts);
  });
});

describe('exportRecords', () => {
  it('returns pages that another database imports without changes', async () => {
    await take(
      ...Array.from({ length: 25 }, (_, index) =>
        imported(`u-${index}`, {
          title: `number ${index}`,
          project: index % 3 === 0 ? null : `/repos/${index % 3}`,
          session: index % 2 === 0 ? null : 's',
        }),
      ),
    );
    const read = async ({ storage }: TestStorage) => {
      const all: ImportedRecord[] = [];
      for (let cursor: string | null = 'observation-0'; cursor !== null;) {
        const page = await storage.store.exportRecords({ cursor, limit: 10 });
        all.push(...page.records);
        cursor = page.nextCursor;
      }
      return all;
    };
    const first = await read(test);
    expect(first).toHaveLength(25);
    await using other = await openTestStorage();
    expect(await other.storage.store.importRecords(first, { now: NOW })).toMatchObject({ inserted: 25 });
    expect(await read(other)).toEqual(first);
  });

  it('returns only the requested projects and skips rows that cannot be read', async () => {
    await take(
      ...[1, 2, 3, 4, 5].map((n) => imported(`u-${n}`, { title: `n ${n}`, project: `/p/${n % 2}` })),
    );
    test.tamper((database) => database.exec(`UPDATE observations SET facts = '{}' WHERE id = 1`));
    const [odd] = await test.storage.store.observationsByIds([5]);
    const page = async (limit: number, projectIds?: readonly number[]) => {
      const range = { cursor: 'observation-0', limit, ...(projectIds && { projectIds }) };
      const { records } = await test.storage.store.exportRecords(range);
      return records.map((record) => (record.kind === 'project' ? null : record.uid));
    };
    expect(await page(10, [odd!.projectId])).toEqual(['u-3', 'u-5']);
    expect(await page(1, [odd!.projectId])).toEqual(['u-3']);
    expect(await page(10, [])).toEqual([]);
    expect(await page(2)).toEqual(['u-2', 'u-3']);
  });
});

describe('forget', () => {
  it('B078: removes observations from records, lists, context, search index and vectors at once', async () => {
    await take(imported('a'), imported('b'), imported('c'));
    const { store, vectors } = test.storage;
    const row = { dimensions: 1, scale: 1, contentHash: 'h', vector: Uint8Array.of(1) };
    await vectors.putVectors({
      model: 'm',
      rows: [1, 2, 3].map((id) => ({ ...row, documentId: `obs_${id}_narrative`, observationId: id })),
      now: NOW,
    });
    test.tamper((database) => database.exec('UPDATE observations SET superseded_by = 3 WHERE id = 1'));
    expect(await store.forget({ ids: [2, 3, 3, 99], now: NOW })).toMatchObject({ observations: 2 });
    expect(await store.forget({ ids: [2], now: NOW })).toMatchObject({ observations: 0 });
    expect((await store.listObservations()).items.map(({ id, supersededBy }) => [id, supersededBy])).toEqual([
      [1, null],
    ]);
    expect(found('title')).toEqual([1]);
    expect(await vectors.vectorHashes({ model: 'm', observationIds: [1, 2, 3] })).toHaveLength(1);
    const at = { epoch: 0 };
    expect(await store.recordsAround({ at, before: 9, after: 9 })).toHaveLength(1);
    expect((await store.stats()).observations).toBe(1);
    expect(await take(imported('b'))).toMatchObject({ inserted: 0, known: 0, forgotten: 1 });
  });
});
