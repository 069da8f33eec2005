import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, readdirSync, statSync, writeFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEvents } from './__fixtures__/events.js';
import { findWords } from './__fixtures__/find-words.js';
import {
  createTestFolder,
  openTestStorage,
  tamperWith,
  type TestFolder,
} from './__fixtures__/open-test-storage.js';
import { draft, reply, summary } from './__fixtures__/replies.js';
import { loadDriver } from './database/driver.js';
import { WAL_LIMIT_BYTES } from './database/open-connection.js';
import { listOrphanedLogs, openStorage } from './index.js';
import { MIGRATIONS } from './migrations/index.js';
import { openStorageReader } from './open-storage-reader.js';

let place: TestFolder;
beforeEach(() => {
  place = createTestFolder();
});
afterEach(() => place[Symbol.dispose]());

const hash = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
const open = () => openStorage(place);

async function seed() {
  await using storage = await open();
  const { prompt, toolUse } = createEvents();
  const [first] = await storage.store.capture([prompt('one'), toolUse()]);
  await storage.store.commitReply(reply(first!.sessionId, { observations: [draft()], summary: summary() }));
}

describe('opening a database file of another program or version', () => {
  it('leaves the file unchanged when another program created it in any journal mode', async () => {
    for (const mode of ['delete', 'wal']) {
      tamperWith(place.file, (database) => {
        database.pragma(`journal_mode = ${mode}`);
        database.exec(`CREATE TABLE IF NOT EXISTS notes (text TEXT); INSERT INTO notes VALUES ('mine')`);
      });
      const before = hash(place.file);
      await expect(open()).rejects.toMatchObject({ code: 'storage/foreign-file' });
      expect(() => openStorageReader(place)).toThrow(
        expect.objectContaining({ code: 'storage/foreign-file' }),
      );
      expect(hash(place.file)).toBe(before);
      expect(readdirSync(place.folder)).toEqual(['claude-mem.db']);
    }
  });

  it.each([
    ['in its file', 'delete', 'CREATE TABLE sdk_sessions (id INTEGER)'],
    ['in its file, in an early version', 'delete', 'CREATE TABLE memories (id INTEGER)'],
    ['in its write-ahead log', 'wal', 'CREATE TABLE sdk_sessions (id INTEGER)'],
  ])('R10: names the other claude-mem when its tables are %s', async (_where, mode, table) => {
    const database = loadDriver().open(place.file, {});
    try {
      database.pragma(`journal_mode = ${mode}`);
      database.exec(`CREATE TABLE schema_versions (id INTEGER); ${table}`);
      chmodSync(place.file, 0o644);
      const refusal = {
        code: 'storage/foreign-file',
        message: expect.stringMatching(/also named claude-mem.*Nothing was changed.*-wal and -shm/) as string,
      };
      await expect(open()).rejects.toMatchObject(refusal);
      expect(() => openStorageReader(place)).toThrow(expect.objectContaining(refusal));
      expect(statSync(place.file).mode & 0o777).toBe(0o644);
    } finally {
      database.close();
    }
  });

  it('R10: keeps a write-ahead log whose database was moved away', async () => {
    const source = `${place.folder}/source.db`;
    const database = loadDriver().open(source, {});
    database.pragma('journal_mode = wal');
    database.exec("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')");
    const log = readFileSync(`${source}-wal`);
    database.close();
    for (const suffix of ['-wal', '-shm']) writeFileSync(`${place.file}${suffix}`, log);

    await (await open()).close();
    const [kept, ...more] = listOrphanedLogs(place.file);
    expect(more).toEqual([]);
    expect(readFileSync(kept ?? '')).toEqual(log);
    expect(existsSync(`${kept}-shm`)).toBe(true);
    await using storage = await open();
    expect(storage.health().status).toBe('ok');
    expect(listOrphanedLogs(place.file)).toEqual([kept]);
  });

  it('B041: leaves the file unchanged when a newer claude-mem wrote it', async () => {
    await seed();
    tamperWith(place.file, (database) => {
      const version = database.pragma('user_version', { simple: true }) as number;
      database.pragma(`user_version = ${version + 1_000}`);
    });
    const before = hash(place.file);
    await expect(open()).rejects.toMatchObject({
      code: 'storage/newer-schema',
      message: expect.stringContaining('update claude-mem'),
    });
    expect(hash(place.file)).toBe(before);

    tamperWith(place.file, (database) => {
      database.pragma(`user_version = ${MIGRATIONS.length}`);
      database.exec(`INSERT INTO migrations VALUES ('9999-from-the-future', 0)`);
    });
    const changed = hash(place.file);
    await expect(open()).rejects.toMatchObject({ code: 'storage/newer-schema' });
    expect(hash(place.file)).toBe(changed);
  });
});

describe('a damaged list of migrations', () => {
  it.each([
    ['a name that no migration has', `UPDATE migrations SET name = '' WHERE name LIKE '0003%'`],
    ['missing names at the end', `DELETE FROM migrations WHERE name > '0003'`],
  ])('is recovered with all records: %s', async (_, sql) => {
    await seed();
    const before = tamperWith(place.file, (database) => database.prepare('SELECT * FROM user_prompts').all());
    tamperWith(place.file, (database) => database.exec(sql));
    await using storage = await open();
    expect(storage.health().recoveries).toHaveLength(1);
    expect(
      tamperWith(place.file, (database) => database.prepare('SELECT * FROM user_prompts').all()),
    ).toEqual(before);
  });
});

describe('schema check', () => {
  it('B040: recreates a missing column, index or trigger and reports it in the health status', async () => {
    await seed();
    tamperWith(place.file, (database) => {
      database.exec(`
        ALTER TABLE pending_messages DROP COLUMN attempts;
        ALTER TABLE pending_messages DROP COLUMN last_error;
        DROP INDEX pending_messages_waiting;
        ALTER TABLE pending_messages DROP COLUMN is_evidence;
        ALTER TABLE usage DROP COLUMN failed_calls;
        DROP INDEX observations_project;
        DROP TRIGGER observations_counted_in`);
    });
    await using storage = await open();
    const { toolUse } = createEvents('again');
    expect(await storage.store.capture([toolUse()])).toMatchObject([{ kind: 'stored' }]);
    expect(await storage.messages.list()).toHaveLength(2);
    expect(storage.health()).toMatchObject({
      status: 'degraded',
      notices: expect.arrayContaining([
        expect.stringContaining('pending_messages.attempts'),
        expect.stringContaining('pending_messages.last_error'),
        expect.stringContaining('pending_messages_waiting'),
        expect.stringContaining('pending_messages.is_evidence'),
        expect.stringContaining('usage.failed_calls'),
        expect.stringContaining('observations_project'),
        expect.stringContaining('observations_counted_in'),
      ]),
    });
  });

  it('B040: rejects the database and names the column when a missing column cannot be recreated', async () => {
    await seed();
    tamperWith(place.file, (database) => database.exec('ALTER TABLE user_prompts DROP COLUMN prompt_text'));
    await expect(open()).rejects.toMatchObject({
      code: 'storage/schema-mismatch',
      message: expect.stringContaining('user_prompts.prompt_text'),
      data: { table: 'user_prompts', column: 'prompt_text' },
    });
  });

  it('B040: names a missing table of records and refills a missing table of derived data', async () => {
    await seed();
    tamperWith(place.file, (database) => database.exec('DROP TABLE observations_fts; DROP TABLE counters'));
    {
      await using storage = await open();
      expect(findWords(place, 'parser')).toEqual([1]);
      expect((await storage.store.stats()).observations).toBe(1);
    }
    tamperWith(place.file, (database) => database.exec('DROP TABLE session_summaries'));
    await expect(open()).rejects.toMatchObject({
      code: 'storage/schema-mismatch',
      data: { table: 'session_summaries' },
    });
  });

  it('B042: opens a database and reads rows whose parent row is missing', async () => {
    await seed();
    tamperWith(place.file, (database) => database.exec('UPDATE observations SET session_id = 999'));
    await using storage = await open();
    expect((await storage.store.listObservations()).items).toMatchObject([{ sessionId: 999 }]);
  });
});

describe('queue rows of missing sessions', () => {
  it('B015: are counted and listed as orphans but not offered as work', async () => {
    await seed();
    tamperWith(place.file, (database) => database.exec('UPDATE pending_messages SET session_id = 999'));
    await using storage = await open();
    expect(await storage.messages.counts()).toEqual({
      pending: 0,
      processing: 0,
      parked: 0,
      orphans: 1,
      oldestPendingEpoch: null,
    });
    expect(await storage.messages.waitingTurns()).toEqual([]);
    const [orphan] = await storage.messages.list();
    expect(orphan).toMatchObject({ sessionId: 999 });
    expect(await storage.messages.drop({ ids: [orphan!.id] }, { now: 1, reason: 'orphan' })).toBe(1);
  });
});

describe('unreadable rows', () => {
  it('B172: are reported and skipped in lists, which return the other rows', async () => {
    const warnings: unknown[] = [];
    const logger = {
      debug() {},
      info() {},
      error() {},
      warn: (fields: unknown) => void warnings.push(fields),
    };
    await using test = await openTestStorage({ logger });
    const { store, messages } = test.storage;
    const [first] = await store.capture([createEvents().prompt('one'), createEvents('b').toolUse()]);
    const titles = ['good', 'plain', 'null', 'object', 'numbers'];
    const observations = titles.map((title) => draft({ title }));
    await store.commitReply(reply(first!.sessionId, { observations, summary: summary() }));
    test.tamper((database) => {
      const set = database.prepare('UPDATE observations SET files_modified = ? WHERE title = ?');
      set.run('a.ts', 'plain');
      set.run('null', 'null');
      set.run('{}', 'object');
      set.run('[1]', 'numbers');
      database.exec(
        `UPDATE session_summaries SET files_read = 'x'; UPDATE pending_messages SET payload = '{}'`,
      );
    });
    const [{ projectId } = { projectId: 0 }] = (await store.listObservations()).items;
    expect((await store.listObservations()).items).toMatchObject([{ title: 'good' }]);
    expect(warnings).toHaveLength(8);
    expect(warnings).toContainEqual({ code: 'storage/corrupt-row', table: 'observations', id: 2 });
    expect((await store.listSummaries()).items).toEqual([]);
    expect(await store.observationsByIds([1, 2, 3, 4, 5])).toMatchObject([{ title: 'good' }]);
    const material = await store.contextMaterial({ projectId, observations: 9, summaries: 9 });
    expect(material.observations).toHaveLength(1);
    expect(await messages.list()).toEqual([]);
  });

  it('are parked when they are queued messages, and the other messages of the session are claimed', async () => {
    await using test = await openTestStorage();
    const { toolUse } = createEvents();
    const [first] = await test.storage.store.capture([toolUse(), toolUse()]);
    test.tamper((database) => database.exec(`UPDATE pending_messages SET payload = '{}' WHERE id = 1`));
    const request = { sessionId: first!.sessionId, now: Date.now(), maxCount: 9, maxBytes: 1e6 };
    expect(await test.storage.messages.claim(request)).toHaveLength(1);
    expect(await test.storage.messages.counts()).toMatchObject({ parked: 1, processing: 1 });
  });

  it('are reported with their table and ID when a single record is requested', async () => {
    await using test = await openTestStorage();
    const [first] = await test.storage.store.capture([createEvents().prompt('one')]);
    test.tamper((database) => database.exec(`UPDATE sdk_sessions SET status = 'asleep'`));
    await expect(test.storage.store.getSession(first!.sessionId)).rejects.toMatchObject({
      code: 'storage/corrupt-row',
      data: { table: 'sdk_sessions', id: first!.sessionId },
    });
    expect((await test.storage.store.listSessions()).items).toEqual([]);
  });
});

describe('database files', () => {
  it('are readable only by their owner, regardless of the umask', async () => {
    const umask = process.umask(0);
    try {
      await using storage = await open();
      await storage.store.capture([createEvents().prompt('one')]);
      const backup = await storage.backup();
      for (const file of [place.file, `${place.file}-wal`, `${place.file}-shm`, backup])
        expect(`${path.basename(file)} ${(statSync(file).mode & 0o777).toString(8)}`).toMatch(/ 600$/);
      expect((statSync(place.backupsDir).mode & 0o777).toString(8)).toBe('700');
    } finally {
      process.umask(umask);
    }
    chmodSync(place.file, 0o644);
    await using _again = await open();
    expect((statSync(place.file).mode & 0o777).toString(8)).toBe('600');
  });

  it(
    'B047: lose the payloads of processed messages and shrink during maintenance',
    { timeout: 60_000 },
    async () => {
      await using storage = await open();
      const { prompt, toolUse } = createEvents();
      const [first] = await storage.store.capture([prompt('one')]);
      const sessionId = first!.sessionId;
      let kept = 0;
      for (let batch = 0; batch < 20; batch += 1) {
        const response = { stdout: 'x'.repeat(50_000) };
        await storage.store.capture(Array.from({ length: 20 }, () => toolUse({ response })));
      }
      const full = statSync(place.file).size + statSync(`${place.file}-wal`).size;
      expect(full).toBeGreaterThan(20_000_000);
      for (let batch = 0; batch < 20; batch += 1) {
        const claimed = await storage.messages.claim({
          sessionId,
          now: Date.now(),
          maxCount: 20,
          maxBytes: 1e9,
        });
        const observations = Array.from({ length: 20 }, (_, index) =>
          draft({
            title: `Observation ${batch}.${index}`,
            narrative: `${batch}.${index} ${'word '.repeat(400)}`,
          }),
        );
        const confirm = claimed.map(({ id }) => ({ id, outcome: 'stored' as const }));
        await storage.store.commitReply(reply(sessionId, { observations, confirm }));
        kept += observations.reduce((sum, observation) => sum + JSON.stringify(observation).length, 0);
      }
      await storage.maintain();
      expect(await storage.messages.list()).toEqual([]);
      expect(statSync(place.file).size).toBeLessThan(3 * kept);
    },
  );

  it(
    'B048: keep the write-ahead log below its limit while an idle reader is open',
    { timeout: 60_000 },
    async () => {
      await using storage = await open();
      await using _reader = openStorageReader(place);
      const { toolUse } = createEvents();
      const response = { stdout: 'x'.repeat(4_000) };
      for (let batch = 0; batch < 100; batch += 1)
        await storage.store.capture(Array.from({ length: 100 }, () => toolUse({ response })));
      expect(storage.health().walBytes).toBeLessThanOrEqual(WAL_LIMIT_BYTES);
    },
  );

  it(
    'B048, R25: cause a warning when a reader keeps the write-ahead log large, and shrink afterwards',
    { timeout: 60_000 },
    async () => {
      await using storage = await open();
      const reader = loadDriver().open(place.file, { readonly: true });
      reader.exec('BEGIN');
      reader.prepare('SELECT count(*) FROM projects').get();
      const { toolUse } = createEvents();
      const response = { stdout: 'x'.repeat(40_000) };
      for (let batch = 0; batch < 16; batch += 1)
        await storage.store.capture(Array.from({ length: 60 }, () => toolUse({ response })));
      expect(storage.health().walBytes).toBeGreaterThan(2 * WAL_LIMIT_BYTES);
      expect(storage.health().diagnostics).toMatchObject([
        { code: 'database-large-log', severity: 'warning' },
      ]);
      reader.exec('COMMIT');
      await storage.maintain();
      expect(storage.health()).toMatchObject({ walBytes: 0, diagnostics: [] });
      reader.close();
    },
  );

  it('B049: use a rollback journal on a shared file system, and the health status reports it', async () => {
    await seed();
    const fileSystemType = 0x01021997;
    await using storage = await openStorage({ ...place, fileSystemType });
    await storage.store.capture([createEvents('more').prompt('two')]);
    expect(existsSync(`${place.file}-wal`)).toBe(false);
    expect(existsSync(`${place.file}-shm`)).toBe(false);
    expect(storage.health()).toMatchObject({
      journalMode: 'delete',
      fileSystem: '9p',
      notices: [expect.stringContaining('9p')],
    });
    expect((await storage.store.stats()).prompts).toBe(2);
  });

  it('are reported as storage/unreadable when a parent of their path is a file', async () => {
    writeFileSync(path.join(place.folder, 'not-a-folder'), '');
    const file = path.join(place.folder, 'not-a-folder', 'claude-mem.db');
    await expect(openStorage({ ...place, file })).rejects.toMatchObject({ code: 'storage/unreadable' });
  });
});

it('rejects calls with storage/closed after a close, and accepts a second close', async () => {
  const storage = await open();
  await storage.close();
  await storage.close();
  await expect(storage.store.stats()).rejects.toMatchObject({ code: 'storage/closed' });
});
