import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEvents } from '../__fixtures__/events.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';
import { draft, reply, summary } from '../__fixtures__/replies.js';
import { loadDriver, type Driver } from '../database/driver.js';
import { MIGRATIONS } from '../migrations/index.js';
import { openStorageWith } from '../open-storage.js';
import type { StorageError } from '../storage-error.js';

let test: TestStorage;
beforeEach(async () => {
  test = await openTestStorage();
});
afterEach(() => test.dispose());

const NFS = 0x6969;
const NOW = Date.UTC(2026, 0, 2);
/** Words of the forgotten record, as they appear in its text and in the index. */
const SECRETS = ['quetzalcoatl', 'Quetzalcoatl', 'vexillology', 'ornithopter'];

const bytes = () =>
  ['', '-wal'].map((side) => {
    const file = test.place.file + side;
    return existsSync(file) ? readFileSync(file).toString('latin1') : '';
  });
const leftOf = () => SECRETS.filter((word) => bytes().some((text) => text.includes(word)));

/** A memory that is large enough for pages to be split, moved and freed. */
async function fill(from: number, to: number) {
  const events = createEvents(`filler-${from}`);
  const [captured] = await test.storage.store.capture([events.prompt('work on it')]);
  for (let number = from; number < to; number += 1) {
    const observations = [0, 1, 2, 3, 4].map((part) =>
      draft({ title: `Filler ${number} ${part}`, narrative: `Words of ${number} `.repeat(40) }),
    );
    await test.storage.store.commitReply(reply(captured!.sessionId, { observations }));
  }
}

async function plant() {
  const events = createEvents('planted');
  const [captured] = await test.storage.store.capture([
    events.prompt('the ornithopter flies'),
    events.toolUse({ input: { text: 'ornithopter '.repeat(2_000) } }),
  ]);
  const { observations } = await test.storage.store.commitReply(
    reply(captured!.sessionId, {
      observations: [draft({ title: 'Quetzalcoatl lands', narrative: 'vexillology '.repeat(500) })],
      summary: summary({ request: 'ornithopter and vexillology' }),
    }),
  );
  return { sessionId: captured!.sessionId, id: observations[0]!.id };
}

describe('eraseForgotten', () => {
  it('removes a deleted session from the bytes of the database file, its log and the search indexes', async () => {
    await fill(0, 20);
    const { sessionId } = await plant();
    await fill(20, 40);
    await test.storage.index.step({ foldAt: 1 });
    await fill(40, 50);
    expect(leftOf()).toEqual(SECRETS);
    await test.storage.store.forget({ sessionIds: [sessionId], now: NOW });
    expect(leftOf()).not.toEqual([]);
    expect(await test.storage.store.eraseForgotten()).toBe(true);
    expect(leftOf()).toEqual([]);
    await test.storage.close();
    expect(leftOf()).toEqual([]);
  });

  it('removes text that an edit replaced', async () => {
    const { id } = await plant();
    await test.storage.index.step({ foldAt: 1 });
    await test.storage.store.editObservation(id, { title: 'Bird lands', narrative: null }, NOW);
    expect(leftOf()).toContain('quetzalcoatl');
    expect(await test.storage.store.eraseForgotten()).toBe(true);
    // The summary also contains the other words.
    expect(leftOf()).toEqual(['vexillology', 'ornithopter']);
  });

  it('removes text that an edit replaced before the record was deleted', async () => {
    const { id, sessionId } = await plant();
    await test.storage.store.editObservation(id, { title: 'Bird lands', narrative: 'Flags' }, NOW);
    await test.storage.store.forget({ sessionIds: [sessionId], now: NOW });
    await test.storage.store.eraseForgotten();
    expect(leftOf()).toEqual([]);
  });

  it('keeps all other records searchable and the index valid', async () => {
    await fill(0, 10);
    const { id } = await plant();
    await test.storage.index.step({ foldAt: 1 });
    await test.storage.store.forget({ ids: [id], now: NOW });
    await test.storage.store.eraseForgotten();
    await test.storage.index.step({ foldAt: 1 });
    expect(await test.storage.index.repair()).toBe(true);
    expect(await test.storage.index.problem()).toBeNull();
    const count = (sql: string) => test.tamper((database) => database.prepare(sql).pluck().get());
    expect(count(`SELECT count(*) FROM search_terms WHERE term LIKE 'filler%'`)).toBeGreaterThan(0);
    expect(count(`SELECT count(*) FROM search_terms WHERE term LIKE 'vexillolog%'`)).toBe(1);
    await fill(20, 22);
    await test.storage.index.step({ foldAt: 1 });
    expect(
      count(`SELECT count(*) FROM search_postings p LEFT JOIN search_terms t ON t.id = p.id / 1048576
      WHERE t.id IS NULL`),
    ).toBe(0);
  });

  it('works with a rollback journal', async () => {
    await test.dispose();
    test = await openTestStorage({ fileSystemType: NFS });
    expect(test.storage.health().journalMode).toBe('delete');
    const { sessionId } = await plant();
    await test.storage.store.forget({ sessionIds: [sessionId], now: NOW });
    expect(leftOf()).not.toEqual([]);
    expect(await test.storage.store.eraseForgotten()).toBe(true);
    expect(leftOf()).toEqual([]);
  });

  it('returns false when more records are deleted while it runs', async () => {
    const { id, sessionId } = await plant();
    await test.storage.store.forget({ ids: [id], now: NOW });
    const erasing = test.storage.store.eraseForgotten();
    await new Promise((resolve) => setImmediate(resolve));
    await test.storage.store.forget({ sessionIds: [sessionId], now: NOW });
    expect(await erasing).toBe(false);
    expect(await test.storage.store.eraseForgotten()).toBe(true);
    expect(leftOf()).toEqual([]);
    expect(await test.storage.store.eraseForgotten()).toBe(true);
  });

  it('allows other calls to read and write while it runs', async () => {
    await fill(0, 60);
    const { id } = await plant();
    await test.storage.store.forget({ ids: [id], now: NOW });
    const { store } = test.storage;
    let isOver = false;
    const erasing = store.eraseForgotten().finally(() => (isOver = true));
    const events = createEvents('meanwhile');
    let count = 0;
    for (; !isOver; count += 1) {
      const save = store.remember({
        draft: draft({ title: `Said meanwhile ${count}` }),
        project: null,
        session: null,
        pinned: false,
        supersedes: [],
        now: NOW,
      });
      const captured = store.capture([events.prompt(`asked meanwhile ${count}`)]).then(
        ([prompt]) => prompt!.kind,
        (error: StorageError) => error.code,
      );
      const [{ observation }, outcome] = await Promise.all([save, captured]);
      // A write that would take longer than the timeout of a hook is rejected.
      expect(['stored', 'storage/busy']).toContain(outcome);
      expect(await store.observationsByIds([observation.id])).toEqual([observation]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await erasing).toBe(true);
    expect(count).toBeGreaterThan(2);
    expect(leftOf()).toEqual(['vexillology', 'ornithopter']);
    expect(await test.storage.index.problem()).toBeNull();
  });

  it('rejects events as busy before their hooks time out, and accepts them afterwards', async () => {
    const driver = slowToRewrite(test.place.folder, 2_000);
    const place = { file: path.join(test.place.folder, 'slow.db'), backupsDir: test.place.backupsDir };
    await using storage = await openStorageWith({ driver, migrations: MIGRATIONS }, place);
    const { store } = storage;
    const events = createEvents('planted');
    const [captured] = await store.capture([events.prompt('the ornithopter flies')]);
    await store.forget({ sessionIds: [captured!.sessionId], now: NOW });
    let isErasing = true;
    const erasing = store.eraseForgotten().finally(() => (isErasing = false));
    const prompt = events.prompt('asked meanwhile');
    let refusal: unknown = null;
    while (refusal === null && isErasing) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      refusal = await store.capture([events.prompt('asked before')]).then(
        () => null,
        (error: unknown) => error,
      );
    }
    expect(refusal).toMatchObject({ code: 'storage/busy' });
    await expect(store.capture([prompt])).rejects.toMatchObject({ code: 'storage/busy' });
    expect(isErasing).toBe(true);
    const waiting = store.interruptIdleSessions({ inactiveSince: 0 });
    expect(await erasing).toBe(true);
    expect(await waiting).toBe(0);
    expect(await store.capture([prompt])).toMatchObject([{ kind: 'stored' }]);
  });

  it('returns false when a reader blocks it, and succeeds the next time', async () => {
    const { sessionId } = await plant();
    await using reader = openReading(test.place.file);
    await test.storage.store.forget({ sessionIds: [sessionId], now: NOW });
    expect(await test.storage.store.eraseForgotten()).toBe(false);
    reader.end();
    expect(await test.storage.store.eraseForgotten()).toBe(true);
    expect(leftOf()).toEqual([]);
  });
});

/** Returns a driver whose rewrite takes longer by `ms` milliseconds. */
function slowToRewrite(folder: string, ms: number): Driver {
  const driver = loadDriver();
  const location = path.join(folder, 'slow.cjs');
  writeFileSync(
    location,
    `const Database = require(${JSON.stringify(driver.location)});
    module.exports = class extends Database {
      exec(sql) {
        super.exec('BEGIN IMMEDIATE');
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms});
        super.exec('COMMIT');
        return super.exec(sql);
      }
    };`,
  );
  return { ...driver, location };
}

/** Opens a database like another process that reads it. */
function openReading(file: string) {
  const database = loadDriver().open(file, { readonly: true });
  database.exec('BEGIN');
  database.prepare('SELECT count(*) FROM observations').get();
  const end = () => void (database.inTransaction && database.exec('COMMIT'));
  return {
    end,
    async [Symbol.asyncDispose]() {
      end();
      database.close();
    },
  };
}
