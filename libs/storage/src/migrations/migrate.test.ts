import { bySize } from '@claude-mem/core/testing';
import { getTableConfig } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { findWords } from '../__fixtures__/find-words.js';
import { createTestFolder, tamperWith, type TestFolder } from '../__fixtures__/open-test-storage.js';
import { NO_LIMITS, reply, reserve } from '../__fixtures__/replies.js';
import { runChild } from '../__fixtures__/run-child.js';
import { APPLICATION_ID } from '../database/database-file.js';
import { loadDriver } from '../database/driver.js';
import { openStorage } from '../index.js';
import { openStorageWith } from '../open-storage.js';
import { listBackups } from '../recovery/backups.js';
import * as schema from '../schema.js';
import { MIGRATIONS } from './index.js';
import { migrate } from './migrate.js';
import type { Migration } from './migration.js';

const ROWS = 1_200;

/** A database of the first version with records and without later tables. */
function makeOld(place: TestFolder, rows = ROWS) {
  tamperWith(place.file, (database) => {
    migrate(database, place.file, MIGRATIONS.slice(0, 1), 0);
    database.exec(`
      INSERT INTO projects VALUES (1, '/p', 'p', 0);
      INSERT INTO sdk_sessions (id, uid, host, content_session_id, project_id, created_at_epoch, last_activity_epoch)
        VALUES (1, 'u', 'claude-code', 's', 1, 0, 0)`);
    const insert = database.prepare(`
      INSERT INTO observations (uid, session_id, project_id, type, title, narrative, content_hash, created_at_epoch, updated_at_epoch)
      VALUES (?, 1, 1, 'bugfix', ?, ?, ?, 0, 0)`);
    // Fills pages without words, which would take long to index.
    const filler = '.'.repeat(1_000);
    database.transaction(() => {
      for (let row = 0; row < rows; row += 1) insert.run(`${row}`, `title ${row}`, filler, `${row}`);
    })();
  });
}

describe('migrations', () => {
  it('create the schema that typed queries expect', () => {
    const database = loadDriver().open(':memory:', {});
    migrate(database, ':memory:', MIGRATIONS, 0);
    for (const table of Object.values(schema)) {
      const { name, columns } = getTableConfig(table);
      const real = database.pragma(`table_info("${name}")`) as {
        name: string;
        type: string;
        notnull: number;
      }[];
      expect(real.map((column) => ({ name: column.name, type: column.type.toLowerCase() }))).toEqual(
        columns.map((column) => ({ name: column.name, type: column.getSQLType() })),
      );
      for (const column of columns)
        expect([column.name, column.notNull || column.primary]).toEqual([
          column.name,
          real.some((one) => one.name === column.name && (one.notnull === 1 || column.primary)),
        ]);
    }
    expect(database.pragma('application_id', { simple: true })).toBe(APPLICATION_ID);
    expect(database.pragma('user_version', { simple: true })).toBe(MIGRATIONS.length);
    database.close();
  });

  it('back up and update a database of the first version, and keep its rows searchable and counted', async () => {
    using place = createTestFolder();
    makeOld(place);
    await using storage = await openStorage(place);
    expect((await storage.store.stats()).observations).toBe(ROWS);
    expect(await storage.index.state()).toEqual({ indexed: 0, total: ROWS });
    while (!(await storage.index.step()).done);
    expect(await storage.index.state()).toEqual({ indexed: ROWS, total: ROWS });
    expect(findWords(place, 'title')).toHaveLength(1_000);
    expect(findWords(place, 'title 77')).toEqual([78]);
    const [backup, ...others] = listBackups(place.backupsDir);
    expect(others).toEqual([]);
    expect(tamperWith(backup!.file, (copy) => copy.pragma('user_version', { simple: true }))).toBe(1);
  });

  it('add evidence and usage columns to a database that has pending messages and metered calls', async () => {
    using place = createTestFolder();
    tamperWith(place.file, (database) => {
      migrate(database, place.file, MIGRATIONS.slice(0, 4), 0);
      database.exec(`
        INSERT INTO projects VALUES (1, '/p', 'p', 0);
        INSERT INTO sdk_sessions (id, uid, host, content_session_id, project_id, cumulative_input_tokens,
          cumulative_output_tokens, created_at_epoch, last_activity_epoch)
          VALUES (1, 'u', 'claude-code', 's', 1, 90, 10, 0, 0);
        INSERT INTO usage VALUES ('2026-01-01', 'claude', 'haiku', 1, 3, 90, 10, 5, 0.5);
        INSERT INTO pending_messages (id, session_id, kind, prompt_number, dedupe_key, bytes, attempts, payload)
          VALUES (7, 1, 'summarize', 1, 'k', 20, 2, '{"reason":"turn-end","lastAssistantMessage":null}')`);
    });
    await using storage = await openStorage(place);
    const { store, messages } = storage;
    expect(storage.health()).toMatchObject({ status: 'ok', schemaVersion: MIGRATIONS.length });
    expect(await messages.list()).toMatchObject([{ id: 7, attempts: 2, bytes: 20, isEvidence: false }]);
    expect(await messages.waitingTurns()).toMatchObject([{ sessionId: 1, count: 1, isOver: true }]);
    expect(await store.usage({ by: 'day' })).toMatchObject([
      { day: '2026-01-01', calls: 3, failedCalls: 0, inputTokens: 90, outputTokens: 10, cachedTokens: 5 },
    ]);
    await expect(reserve(store, { limits: { ...NO_LIMITS, sessionTokens: 100 } })).rejects.toThrow(
      'sessionTokens',
    );
    const callId = await reserve(store, { provider: 'claude', model: 'haiku' });
    await store.commitReply(
      reply(1, {
        confirm: [{ id: 7, outcome: 'stored' }],
        usage: { callId, inputTokens: 10, outputTokens: 0, cachedTokens: 0, estimatedCostUsd: 0 },
      }),
    );
    expect(await messages.list()).toEqual([]);
    expect(await store.usage({ by: 'total' })).toMatchObject([{ calls: 4, inputTokens: 100 }]);
  });

  it('roll back a failing migration and complete the next time', async () => {
    using place = createTestFolder();
    makeOld(place);
    const failing: Migration = {
      name: '9999-fails',
      up(database) {
        database.exec('CREATE TABLE half_done (id INTEGER)');
        throw new Error('no further');
      },
    };
    const parts = { driver: loadDriver(), migrations: [...MIGRATIONS, failing] };
    await expect(openStorageWith(parts, place)).rejects.toThrow('no further');
    const tables = () =>
      tamperWith(place.file, (database) =>
        database.prepare(`SELECT count(*) FROM sqlite_schema WHERE name = 'half_done'`).pluck().get(),
      );
    expect(tables()).toBe(0);
    await using storage = await openStorage(place);
    expect((await storage.store.stats()).observations).toBe(ROWS);
  });

  it('reject a database whose applied migrations are not the first migrations of this version', async () => {
    using place = createTestFolder();
    await (await openStorage(place)).close();
    tamperWith(place.file, (database) => database.exec(`DELETE FROM migrations WHERE name LIKE '0002%'`));
    await expect(openStorage(place)).rejects.toMatchObject({
      code: 'storage/schema-mismatch',
      data: { migration: '0002-queue' },
    });
  });

  it(
    'B043: complete at the next start when a kill -9 interrupts a migration or the first start on an old database',
    { timeout: 240_000 },
    async () => {
      const rows = bySize({ quick: 300, full: 3_000 });
      using place = createTestFolder();
      makeOld(place, rows);
      const startOnCopy = async (migration?: string) => {
        const copy = createTestFolder();
        tamperWith(place.file, (database) => database.exec(`VACUUM INTO '${copy.file}'`));
        const child = runChild('migrate', copy, migration);
        await child.said(/ready/);
        return { copy, child };
      };
      const stageOf = ({ file }: TestFolder) =>
        tamperWith(file, (database) => database.pragma('user_version', { simple: true }));
      const finish = async (copy: TestFolder) => {
        await using storage = await openStorage(copy);
        expect((await storage.store.stats()).observations).toBe(rows);
        expect(storage.health()).toMatchObject({ status: 'ok', schemaVersion: MIGRATIONS.length });
        while (!(await storage.index.step()).done);
        const integrity = tamperWith(copy.file, (database) =>
          database.pragma('integrity_check', { simple: true }),
        );
        expect(integrity).toBe('ok');
        expect(await storage.index.state()).toEqual({ indexed: rows, total: rows });
        expect(findWords(copy, `title ${rows - 1}`)).toEqual([rows]);
      };

      for (const [stage, { name }] of MIGRATIONS.entries()) {
        if (stage === 0) continue;
        const { copy, child } = await startOnCopy(name);
        using _ = copy;
        expect((await child.ended).code).toBeNull();
        expect(stageOf(copy)).toBe(stage);
        await finish(copy);
      }

      const openingMs = await (async () => {
        const { copy, child } = await startOnCopy();
        using _ = copy;
        const start = performance.now();
        await child.said(/open/);
        await child.ended;
        return performance.now() - start;
      })();
      const moments = bySize({ quick: 2, full: 4 });
      for (let moment = 0; moment < moments; moment += 1) {
        const { copy, child } = await startOnCopy();
        using _ = copy;
        const ms = ((moment + Math.random()) / moments) * openingMs;
        await new Promise((resolve) => setTimeout(resolve, ms));
        await child[Symbol.asyncDispose]();
        await finish(copy);
      }
    },
  );
});
