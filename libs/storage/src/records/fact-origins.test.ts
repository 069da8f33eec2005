import { toFacts, type Fact, type ImportedObservation } from '@claude-mem/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEvents } from '../__fixtures__/events.js';
import {
  createTestFolder,
  openTestStorage,
  tamperWith,
  type TestStorage,
} from '../__fixtures__/open-test-storage.js';
import { draft, reply } from '../__fixtures__/replies.js';
import { openStorage } from '../index.js';
import { MIGRATIONS } from '../migrations/index.js';
import { migrate } from '../migrations/migrate.js';

let test: TestStorage;
beforeEach(async () => {
  test = await openTestStorage();
});
afterEach(() => test.dispose());

const NOW = Date.UTC(2026, 0, 3);
const SHOP = { key: '/home/dev/shop', name: 'shop' };
const FACTS: readonly Fact[] = [
  { text: 'Prices are in cents', origin: 'user' },
  { text: 'npm test: passed', origin: 'evidence' },
  { text: 'The cache is warm', origin: 'agent' },
  { text: 'Known from before', origin: null },
];
const store = () => test.storage.store;
const factsOf = async (id: number) => (await store().observationsByIds([id]))[0]?.facts;

async function commit(facts: readonly Fact[] = FACTS, title = 'Prices') {
  const [captured] = await store().capture([createEvents('host-1').prompt('one')]);
  const { observations } = await store().commitReply(
    reply(captured!.sessionId, { observations: [draft({ title, facts })] }),
  );
  return observations[0]!;
}

const remember = (facts: readonly Fact[], source: 'manual' | 'agent' = 'manual') =>
  store().remember({
    ...{ draft: draft({ facts }), source, project: SHOP, session: null },
    ...{ pinned: false, supersedes: [], now: NOW },
  });

const imported = (uid: string, more: Partial<ImportedObservation> = {}): ImportedObservation => ({
  ...draft({ title: `Title of ${uid}`, facts: FACTS }),
  ...{ uid, project: SHOP.key, session: 's-1', promptNumber: 2, createdAtEpoch: NOW },
  ...more,
});

it('reads unknown origins when the facts were stored before there were origins', async () => {
  using place = createTestFolder();
  tamperWith(place.file, (database) => {
    const before = MIGRATIONS.slice(
      0,
      MIGRATIONS.findIndex(({ name }) => name === '0012-fact-origins'),
    );
    migrate(database, place.file, before, 0);
    database.exec(`
      INSERT INTO projects VALUES (1, '/p', 'p', 0);
      INSERT INTO sdk_sessions (id, uid, host, content_session_id, project_id, created_at_epoch, last_activity_epoch)
        VALUES (1, 'u', 'claude-code', 's', 1, 0, 0);
      INSERT INTO observations (uid, session_id, project_id, type, title, facts, content_hash, created_at_epoch, updated_at_epoch)
        VALUES ('o', 1, 1, 'bugfix', 'Old', '["one","two"]', 'hash', 0, 0)`);
  });
  await using storage = await openStorage(place);
  const [observation] = await storage.store.observationsByIds([1]);
  expect(observation?.facts).toEqual(toFacts(['one', 'two'], null));
});

describe('origins of facts', () => {
  it('are returned as they were stored', async () => {
    const observation = await commit();
    expect(observation.facts).toEqual(FACTS);
    expect(observation).not.toHaveProperty('factOrigins');
    expect((await store().observationsByIds([observation.id]))[0]).toEqual(observation);
  });

  it('do not change the identity of a text', async () => {
    const { observation } = await remember(FACTS);
    const again = await remember(
      toFacts(
        FACTS.map(({ text }) => text),
        'agent',
      ),
    );
    expect(again).toMatchObject({ isNew: false, observation: { id: observation.id, facts: FACTS } });
  });

  it.each(['["user"]', '["user", "somebody"]', '["user", 5, {}]'])(
    'are unknown when the stored list %s has no valid origin for the fact',
    async (origins) => {
      const { id } = await commit(FACTS.slice(0, 3));
      test.tamper((database) => database.prepare('UPDATE observations SET fact_origins = ?').run(origins));
      expect((await factsOf(id))?.map(({ origin }) => origin)).toEqual(['user', null, null]);
    },
  );

  it('are unknown when the stored list is damaged', async () => {
    const { id } = await commit();
    test.tamper((database) => database.exec(`UPDATE observations SET fact_origins = '["us'`));
    expect(await factsOf(id)).toEqual(FACTS.map(({ text }) => ({ text, origin: null })));
  });
});

describe('an edit', () => {
  it('keeps the origin of each fact whose text is unchanged', async () => {
    const { id } = await commit();
    const texts = ['Known from before', 'The cache is cold', 'npm  test: passed', 'Prices are in cents'];
    await store().editObservation(id, { facts: toFacts(texts, 'user') }, NOW);
    expect((await factsOf(id))?.map(({ origin }) => origin)).toEqual([null, 'user', 'evidence', 'user']);
  });

  it('keeps all origins when it changes only the title', async () => {
    const { id } = await commit();
    await store().editObservation(id, { title: 'Other' }, NOW);
    expect(await factsOf(id)).toEqual(FACTS);
  });
});

describe('an undone deletion', () => {
  it('restores the origins', async () => {
    const { id } = await commit();
    const { forgetId } = await store().forget({ ids: [id], now: NOW, undoUntil: NOW + 1_000 });
    await store().undoForget(forgetId!, NOW + 1);
    expect(await factsOf(id)).toEqual(FACTS);
  });

  it('restores a record that was deleted before there were origins', async () => {
    const { id } = await commit();
    const { forgetId } = await store().forget({ ids: [id], now: NOW, undoUntil: NOW + 1_000 });
    test.tamper((database) =>
      database.exec(`UPDATE forget_bin_rows SET data = json_remove(data, '$.fact_origins')`),
    );
    await store().undoForget(forgetId!, NOW + 1);
    expect(await factsOf(id)).toEqual(FACTS.map(({ text }) => ({ text, origin: null })));
  });
});

describe('an import', () => {
  it('restores the origins of an export', async () => {
    await commit();
    await remember([{ text: 'Never on Fridays', origin: 'agreed' }]);
    const { records } = await store().exportRecords({ cursor: null, limit: 100 });
    await using other = await openTestStorage();
    const result = await other.storage.store.importRecords(records, { now: NOW });
    expect(result).toMatchObject({ failed: [], userFacts: 2 });
    const { items } = await other.storage.store.listObservations();
    expect(items.map(({ facts }) => facts).reverse()).toEqual([
      FACTS,
      [{ text: 'Never on Fridays', origin: 'agreed' }],
    ]);
  });

  it('S06: attributes no fact to the user when it is unknown who saved the record', async () => {
    const facts = (['user', 'agreed', 'rejected', 'agent', 'external'] as const).map((origin) => ({
      text: `Always ${origin}`,
      origin,
    }));
    const result = await store().importRecords([imported('a', { facts })], { now: NOW });
    expect(result).toMatchObject({ inserted: 1, userFacts: 0 });
    const [observation] = await store().observationsByIds([1]);
    expect(observation?.source).toBe('import');
    expect(observation?.facts.map(({ origin }) => origin)).toEqual([null, null, null, 'agent', 'external']);
  });

  it('S06: counts the records with facts that are attributed to the user', async () => {
    const source = 'observer';
    const records = [
      imported('a', { source }),
      imported('b', { source, facts: toFacts(['x'], 'agent') }),
      imported('c', { source, facts: toFacts(['x'], 'rejected') }),
    ];
    expect(await store().importRecords(records, { now: NOW })).toMatchObject({ userFacts: 2 });
  });
});
