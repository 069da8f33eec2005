import {
  copyFileSync,
  cpSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { bySize, createFixedClock, isFullRun } from '@claude-mem/core/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dumpRecords, eraseSector, overwritePages, type Dump } from '../__fixtures__/damage.js';
import { createEvents } from '../__fixtures__/events.js';
import { findWords } from '../__fixtures__/find-words.js';
import { createTestFolder, tamperWith, type TestFolder } from '../__fixtures__/open-test-storage.js';
import { draft, reply, reserve, summary } from '../__fixtures__/replies.js';
import { runChild } from '../__fixtures__/run-child.js';
import { openStorage, type Storage } from '../index.js';
import type { Database } from '../database/driver.js';
import { unfinishedName } from './replace-database.js';

const DAY = 24 * 60 * 60 * 1_000;
const TIME = 60_000;

let place: TestFolder;
let clock: ReturnType<typeof createFixedClock>;
beforeEach(() => {
  place = createTestFolder();
  clock = createFixedClock();
});
afterEach(() => place[Symbol.dispose]());

const open = () => openStorage({ ...place, clock });

/** Text that fills pages of the database. It has no words, because indexing thousands of words takes long. */
const filler = (length: number) => '.'.repeat(length);

/** Stores sessions with records of every kind, short and long, and pending messages. */
async function fill(storage: Storage, name: string, sessions = 12) {
  for (let number = 0; number < sessions; number += 1) {
    const { prompt, toolUse, turnEnd } = createEvents(`${name}-${number}`);
    const [first] = await storage.store.capture([
      prompt(`zebra ${name} ${number} ${filler(number * 500)}`),
      ...Array.from({ length: 8 }, () => toolUse()),
      turnEnd({ lastAssistantMessage: `${name} ${number}` }),
    ]);
    const { sessionId } = first!;
    const observations = Array.from({ length: 15 }, (_, index) =>
      draft({
        title: `${name} ${number} ${index}`,
        narrative: `zebra ${index} ${filler(index * 500)}`,
      }),
    );
    const [message] = await storage.messages.list({ sessionId, limit: 1 });
    await storage.store.commitReply(
      reply(sessionId, {
        observations,
        summary: summary({ learned: `${name} ${number}` }),
        confirm: [{ id: message!.id, outcome: 'stored' }],
      }),
    );
    const callId = await reserve(storage.store, { sessionId });
    if (number % 2 === 0)
      await storage.store.settleUsage({
        callId,
        usage: { inputTokens: 10, outputTokens: 1, cachedTokens: 0, estimatedCostUsd: 0.25 },
        now: 0,
      });
  }
  await storage.vectors.useTarget('a model');
  await storage.vectors.putVectors({
    model: 'a model',
    now: 0,
    rows: Array.from({ length: 150 }, (_, index) => ({
      documentId: `d${index}`,
      observationId: index + 1,
      dimensions: 64,
      scale: 1,
      contentHash: 'hash',
      vector: new Uint8Array(64),
    })),
  });
  await storage.index.step({ foldAt: 1 });
}

const masters = new Map<string, TestFolder>();
afterAll(() => {
  for (const master of masters.values()) master[Symbol.dispose]();
});

/** Copies a filled and closed database, with a backup on request. The original is created once. */
async function filled(names: readonly string[] = ['one'], { hasBackup = false } = {}): Promise<Dump> {
  const key = JSON.stringify([names, hasBackup]);
  const master = masters.get(key) ?? createTestFolder();
  if (!masters.has(key)) {
    masters.set(key, master);
    await using storage = await openStorage({ ...master, clock: createFixedClock() });
    for (const name of names) await fill(storage, name);
    if (hasBackup) await storage.backup();
    await storage.close();
  }
  cpSync(master.folder, place.folder, { recursive: true });
  return dumpRecords(place.file);
}

const finish = async (storage: Storage) => {
  while (!(await storage.index.step({ foldAt: 1 })).done);
};

const isGood = () =>
  tamperWith(place.file, (database) => [
    database.pragma('integrity_check', { simple: true }),
    database.pragma('foreign_key_check'),
  ]);

/** The missing rows of `table`. */
function notIn(table: Dump[string] = [], rows: Dump[string] = []): Dump[string] {
  const present = new Set(table.map((row) => JSON.stringify(row)));
  return rows.filter((row) => !present.has(JSON.stringify(row)));
}

const idsIn = (rows: Dump[string] = []) => rows.map(({ id }) => id);

const numberOf = (dump: Dump) => Object.values(dump).reduce((total, rows) => total + rows.length, 0);

/** Only the full run damages the other tables, because each of them takes long. */
const DERIVED = [
  'search_postings search_state vectors observations_fts_data',
  ...(isFullRun
    ? [
        'search_documents search_terms search_unfolded search_pending search_removals index_outbox counters',
        'observations_created observations_fts_idx observations_fts_docsize',
        'session_summaries_fts_data user_prompts_fts_data user_prompts_fts_config',
      ]
    : []),
].join(' ');

describe('damaged pages of derived tables', () => {
  it.each(DERIVED.split(' '))(
    'lose no record when the database is opened: %s',
    { timeout: TIME },
    async (table) => {
      const before = await filled();
      expect(overwritePages(place.file, table)).toBeGreaterThan(0);
      await using storage = await open();
      expect(dumpRecords(place.file)).toEqual(before);
      await finish(storage);
      expect(findWords(place, 'zebra', 'prompt')).toHaveLength(12);
      expect((await storage.store.stats()).observations).toBe(180);
      for (const { unreadable, isCounted, restoredFrom } of storage.health().recoveries)
        expect({ unreadable, isCounted, restoredFrom }).toEqual({
          unreadable: 0,
          isCounted: true,
          restoredFrom: null,
        });
      await storage.close();
      expect(isGood()).toEqual(['ok', []]);
    },
  );

  it.each(DERIVED.split(' '))('lose no record in a running process: %s', { timeout: TIME }, async (table) => {
    await filled(['one'], { hasBackup: true });
    await using storage = await open();
    await fill(storage, 'two', 3);
    await storage.maintain();
    const before = dumpRecords(place.file);
    overwritePages(place.file, table);
    await clock.advance(DAY);
    await storage.maintain();
    expect(dumpRecords(place.file)).toEqual(before);
    await storage.store.capture([createEvents('new').prompt('zebra new')]);
    await finish(storage);
    expect(findWords(place, 'zebra', 'prompt')).toHaveLength(16);
    expect(storage.health().recoveries.every(({ restoredFrom }) => restoredFrom === null)).toBe(true);
    await storage.close();
    expect(isGood()).toEqual(['ok', []]);
  });

  it('keep readable vectors and the next ids', { timeout: TIME }, async () => {
    await filled();
    const vectors = () =>
      tamperWith(place.file, (database) => [
        database.prepare('SELECT count(*) FROM vectors').pluck().get(),
        database
          .prepare('SELECT * FROM sqlite_sequence WHERE name IN (?, ?) ORDER BY name')
          .all('vectors', 'observations'),
      ]);
    const before = vectors();
    overwritePages(place.file, 'search_postings');
    await using storage = await open();
    await storage.close();
    expect(vectors()).toEqual(before);
  });

  it('are reported with the advice that the damaged file can be deleted', { timeout: TIME }, async () => {
    const before = await filled();
    overwritePages(place.file, 'search_postings');
    {
      await using storage = await open();
      const { recoveries, notices, status } = storage.health();
      expect(recoveries).toMatchObject([{ saved: numberOf(before), observations: 180, fromBackup: 0 }]);
      expect(status).toBe('degraded');
      expect(notices).toEqual([
        expect.stringMatching(/everything was saved.*180 observations.*You can delete/),
      ]);
    }
    await using again = await open();
    const { quarantined, notices } = again.health();
    expect(notices).toEqual([
      expect.stringMatching(/everything was saved.*180 observations.*You can delete/),
    ]);
    for (const file of quarantined) rmSync(file);
    await again.close();
    await using last = await open();
    expect(last.health()).toMatchObject({ status: 'ok', notices: [] });
  });
});

const RECORDS = [
  'observations pending_messages event_ledger',
  ...(isFullRun ? ['projects sdk_sessions user_prompts session_summaries usage usage_calls'] : []),
].join(' ');
const somePages = (pages: readonly number[]) =>
  pages.length < 3 ? pages : pages.filter((_, index) => index % 3 === 1);

describe('damaged pages of records', () => {
  it.each(RECORDS.split(' '))(
    'lose nothing that the newest backup contains: %s',
    { timeout: TIME },
    async (table) => {
      const before = await filled(['one'], { hasBackup: true });
      {
        await using storage = await open();
        await fill(storage, 'two', 3);
      }
      const all = dumpRecords(place.file);
      overwritePages(place.file, table);
      await using storage = await open();
      const after = dumpRecords(place.file);
      for (const [name, rows] of Object.entries(all)) {
        expect(notIn(after[name], name === table ? before[name] : rows)).toEqual([]);
      }
      expect(storage.health().recoveries).toMatchObject([
        { restoredFrom: expect.stringContaining('backups') },
      ]);
      expect(storage.health().notices.join()).toMatch(/from the backup/);
      await fill(storage, 'three', 1);
      await storage.close();
      expect(isGood()).toEqual(['ok', []]);
    },
  );

  it.each(['observations', 'pending_messages', 'user_prompts'])(
    'are completed from the backup when only a part of a page is damaged: %s',
    { timeout: TIME },
    async (table) => {
      const before = await filled(['one'], { hasBackup: true });
      const intact = readFileSync(place.file);
      for (const sector of [1, 3, 5, 6]) {
        writeFileSync(place.file, intact);
        eraseSector(place.file, table, sector);
        await using storage = await open();
        await storage.maintain();
        // SQLite does not notice zeros within a text.
        expect(idsIn(dumpRecords(place.file)[table]), `sector ${sector}`).toEqual(idsIn(before[table]));
        clock.advance(1_000);
      }
    },
  );

  it.each(RECORDS.split(' '))(
    'lose only their own records when there is no backup: %s',
    { timeout: TIME },
    async (table) => {
      const before = await filled();
      overwritePages(place.file, table, somePages);
      await using storage = await open();
      const after = dumpRecords(place.file);
      for (const [name, rows] of Object.entries(before))
        if (name !== table && name !== 'sdk_sessions' && name !== 'projects')
          expect(after[name]).toEqual(rows);
      const [recovery] = storage.health().recoveries;
      const lost = (before[table]?.length ?? 0) - (after[table]?.length ?? 0);
      if (recovery!.isCounted && !/^(projects|sdk_sessions)$/.test(table))
        expect(recovery!.unreadable).toBe(lost);
      expect(recovery!.unreadable > 0 || !recovery!.isCounted).toBe(true);
      expect(storage.health().notices.join()).toMatch(/could not be read.*Keep/);
      await fill(storage, 'three', 1);
      await storage.close();
      expect(isGood()).toEqual(['ok', []]);
    },
  );

  it.each(['user_prompts', 'event_ledger', ...(isFullRun ? ['observations', 'pending_messages'] : [])])(
    'lose no record without a backup when they are inner pages: %s',
    { timeout: TIME },
    async (table) => {
      const before = await filled(['one', 'two', 'three']);
      const bytes = readFileSync(place.file);
      const isNode = (page: number) => [0x05, 0x02].includes(bytes[(page - 1) * 4_096]!);
      expect(overwritePages(place.file, table, (pages) => pages.filter(isNode))).toBeGreaterThan(0);
      await using storage = await open();
      const after = dumpRecords(place.file);
      // Inner pages of tables without rowids contain rows.
      if (table === 'event_ledger') expect(after[table]!.length).toBeGreaterThan(before[table]!.length - 5);
      else expect(after).toEqual(before);
      const isCounted = table !== 'event_ledger';
      expect(storage.health().recoveries).toMatchObject([{ unreadable: 0, isCounted, fromBackup: 0 }]);
      await storage.close();
      expect(isGood()).toEqual(['ok', []]);
    },
  );

  it.each([
    ['a database that was never rewritten', ''],
    ['a database that was rewritten', 'VACUUM'],
  ])('lose nothing when they are a page of the schema of %s', { timeout: TIME }, async (_, change) => {
    await filled();
    tamperWith(place.file, (database) => database.exec(change));
    const before = dumpRecords(place.file);
    const pages = tamperWith(place.file, (database) =>
      database.prepare(`SELECT pageno FROM dbstat WHERE name = 'sqlite_schema'`).pluck().all(),
    ) as number[];
    expect(pages.length).toBeGreaterThan(5);
    const bytes = readFileSync(place.file);
    for (const page of isFullRun ? pages : pages.slice(0, 2)) {
      const damaged = Buffer.from(bytes).fill(0xa5, (page - 1) * 4_096, page * 4_096);
      writeFileSync(place.file, damaged);
      await using storage = await open();
      expect(dumpRecords(place.file)).toEqual(before);
      await storage.close();
      expect(isGood()).toEqual(['ok', []]);
    }
  });

  it(
    'keep the records before and after them with their ids, and no id is used again',
    { timeout: TIME },
    async () => {
      const before = await filled();
      overwritePages(place.file, 'observations', (pages) => [pages[4]!, pages.at(-1)!]);
      await using storage = await open();
      const kept = dumpRecords(place.file)['observations']!;
      expect(notIn(before['observations'], kept)).toEqual([]);
      expect(kept.length).toBeGreaterThan(150);
      const [recovery] = storage.health().recoveries;
      expect(recovery).toMatchObject({
        unreadable: 180 - kept.length,
        isCounted: true,
        observations: kept.length,
      });
      await fill(storage, 'three', 1);
      const added = dumpRecords(place.file)['observations']!.slice(kept.length);
      expect(added.map(({ id }) => id)).toEqual(Array.from({ length: 15 }, (_, index) => 181 + index));
    },
  );

  it('restore no record that was deleted after the backup', { timeout: TIME }, async () => {
    await filled(['one'], { hasBackup: true });
    {
      await using storage = await open();
      await storage.store.forget({ ids: [1, 2, 3, 179], now: 0 });
    }
    overwritePages(place.file, 'observations', (pages) => [pages.at(-1)!]);
    await using storage = await open();
    const ids = dumpRecords(place.file)['observations']!.map(({ id }) => id);
    // The second largest id is in the damaged page, so that a backup alone would restore it.
    expect(ids).toEqual([...Array.from({ length: 175 }, (_, index) => index + 4), 180]);
    expect(storage.health().recoveries).toMatchObject([{ unreadable: 0, isCounted: true }]);
  });

  it.each(['user_prompts', 'sdk_sessions', ...(isFullRun ? ['session_summaries', 'pending_messages'] : [])])(
    'restore nothing of a deleted session when %s is damaged',
    { timeout: TIME },
    async (table) => {
      await filled(['one'], { hasBackup: true });
      {
        await using storage = await open();
        await storage.store.forget({ sessionIds: [4, 12], now: 0 });
        const [more] = await storage.store.capture([
          createEvents('one-11').prompt('asked since', { dedupeKey: 'since' }),
        ]);
        expect(more).toMatchObject({ sessionId: 12 });
        await storage.store.eraseForgotten();
      }
      overwritePages(place.file, table, (pages) => pages);
      await using storage = await open();
      expect(storage.health().recoveries).toMatchObject([{ fromBackup: expect.any(Number) as number }]);
      const rows = dumpRecords(place.file);
      const ofForgotten = (name: string) =>
        rows[name]!.filter((row) => row['session_id'] === 4 || row['session_id'] === 12);
      expect(ofForgotten('session_summaries')).toEqual([]);
      expect(ofForgotten('pending_messages')).toEqual([]);
      expect(rows['session_summaries']).toHaveLength(10);
      if (table === 'user_prompts') expect(ofForgotten('user_prompts')).toEqual([]);
      else expect(ofForgotten('user_prompts')).toMatchObject([{ prompt_text: 'asked since' }]);
      for (const id of [4, 12]) {
        const session = await storage.store.getSession(id);
        expect(JSON.stringify(session)).not.toContain('zebra');
      }
    },
  );

  it('restore nothing from a backup of another memory', { timeout: TIME }, async () => {
    {
      await using storage = await open();
      await fill(storage, 'other');
      await storage.backup();
    }
    for (const side of ['', '-wal', '-shm']) rmSync(place.file + side, { force: true });
    const before = await filled();
    overwritePages(place.file, 'observations', somePages);
    await using storage = await open();
    expect(notIn(before['observations'], dumpRecords(place.file)['observations'])).toEqual([]);
    expect(storage.health().recoveries).toMatchObject([{ restoredFrom: null, fromBackup: 0 }]);
  });
});

describe('a truncated database file', () => {
  it.each([0.5, ...(isFullRun ? [0.9, 0.1] : [])])(
    'keeps the records of its readable part (%d)',
    { timeout: TIME },
    async (part) => {
      const before = await filled();
      truncateSync(place.file, Math.floor((statSync(place.file).size * part) / 4_096) * 4_096);
      await using storage = await open();
      const after = dumpRecords(place.file);
      expect(notIn(before['observations'], after['observations'])).toEqual([]);
      if (part > 0.4) expect(after['observations']!.length).toBeGreaterThan(50);
      const [recovery] = storage.health().recoveries;
      expect(recovery!.unreadable > 0 || !recovery!.isCounted).toBe(true);
      await storage.close();
      expect(isGood()).toEqual(['ok', []]);
    },
  );

  it('is completed from its backup', { timeout: TIME }, async () => {
    const before = await filled(['one'], { hasBackup: true });
    truncateSync(place.file, 4_096 * 20);
    await using storage = await open();
    expect(dumpRecords(place.file)).toEqual(before);
    await storage.close();
    expect(isGood()).toEqual(['ok', []]);
  });

  it('is restored from its backup when it is empty', { timeout: TIME }, async () => {
    {
      await using storage = await open();
      await fill(storage, 'one', 2);
      await storage.backup();
    }
    const before = dumpRecords(place.file);
    truncateSync(place.file, 0);
    await using storage = await open();
    expect(dumpRecords(place.file)).toEqual(before);
    expect(storage.health()).toMatchObject({ status: 'degraded' });
  });

  it('keeps records that are only in the log of a killed process', { timeout: TIME }, async () => {
    await filled();
    {
      await using child = runChild('capture-many', place, 'killed');
      await child.said(/^20$/);
    }
    expect(statSync(`${place.file}-wal`).size).toBeGreaterThan(0);
    const copy = `${place.folder}/copy.db`;
    for (const side of ['', '-wal']) copyFileSync(place.file + side, copy + side);
    const intact = dumpRecords(copy);
    expect(intact['pending_messages']!.length).toBeGreaterThanOrEqual(104);
    const bytes = readFileSync(place.file);
    const postings = tamperWith(copy, (database) =>
      database.prepare('SELECT pageno FROM dbstat WHERE name = ?').pluck().all('observations_fts_data'),
    ) as number[];
    for (const page of postings) bytes.fill(0xa5, (page - 1) * 4_096, page * 4_096);
    writeFileSync(place.file, bytes);
    await using storage = await open();
    expect(storage.health().recoveries).toMatchObject([{ unreadable: 0, isCounted: true }]);
    expect(dumpRecords(place.file)).toEqual(intact);
  });
});

it('keeps replies and the conversation record when the damaged file is replaced', async () => {
  const conversationRecord = { draft: draft({ title: 'Use npm' }), supersedes: [] };
  const write = async () => {
    await using storage = await open();
    const { prompt, turnEnd } = createEvents();
    const [first] = await storage.store.capture([prompt('npm?'), turnEnd({ lastAssistantMessage: 'Yes.' })]);
    await storage.store.commitReply(reply(first!.sessionId, { conversationRecord }));
    return first!.sessionId;
  };
  const sessionId = await write();
  const intact = dumpRecords(place.file);
  overwritePages(place.file, 'search_postings');
  await using storage = await open();
  expect(storage.health().recoveries).toHaveLength(1);
  expect(dumpRecords(place.file)).toEqual(intact);
  expect(await storage.store.conversation(sessionId, { throughPrompt: 1, limit: 1 })).toEqual([
    { promptNumber: 1, prompt: 'npm?', reply: 'Yes.' },
  ]);
});

it('adds the missing session and project when a damaged file has only rows that refer to them', async () => {
  await filled();
  tamperWith(place.file, (database) =>
    database.exec(`
      INSERT INTO session_tool_uses (session_id, tool) VALUES (98, 'Bash');
      INSERT INTO project_repositories (project_id, root_commit) VALUES (99, 'abc')`),
  );
  const intact = dumpRecords(place.file);
  overwritePages(place.file, 'search_postings');
  await using storage = await open();
  const after = dumpRecords(place.file);
  for (const table of ['session_tool_uses', 'project_repositories'])
    expect(after[table]).toEqual(intact[table]);
  expect(after['sdk_sessions']).toContainEqual(expect.objectContaining({ id: 98, host: 'recovered' }));
  expect(after['projects']).toContainEqual(expect.objectContaining({ id: 99, key: 'recovered:99' }));
  await storage.close();
  expect(isGood()).toEqual(['ok', []]);
});

it('saves the records when the damaged schema lacks an index', async () => {
  await filled();
  tamperWith(place.file, (database) => database.exec('DROP INDEX observations_uid'));
  const before = dumpRecords(place.file)['observations'];
  overwritePages(place.file, 'observations', somePages);
  await using storage = await open();
  expect(storage.health().recoveries).toMatchObject([{ reason: expect.any(String) as string }]);
  const after = dumpRecords(place.file)['observations']!;
  expect(after.length).toBeGreaterThan(50);
  expect(notIn(before, after)).toEqual([]);
  await storage.close();
  expect(isGood()).toEqual(['ok', []]);
});

it(
  'R22: reports missing records when an older copy was put back beside a newer log',
  { timeout: TIME },
  async () => {
    const older = `${place.file}.older`;
    const log = `${place.file}.log`;
    {
      await using storage = await open();
      await fill(storage, 'first');
    }
    copyFileSync(place.file, older);
    {
      await using storage = await open();
      await fill(storage, 'second');
    }
    let known: number;
    {
      await using storage = await open();
      await fill(storage, 'third', 2);
      copyFileSync(`${place.file}-wal`, log);
      known = tamperWith(place.file, (database) => countOf(database, 'observations'));
    }
    copyFileSync(older, place.file);
    copyFileSync(log, `${place.file}-wal`);

    await using storage = await open();
    const found = tamperWith(place.file, (database) => countOf(database, 'observations'));
    expect(found).toBeLessThan(known);
    const { recoveries, recoveryNotice } = storage.health();
    expect(recoveries).toMatchObject([{ isCounted: false, isOlderThanLog: true }]);
    expect(recoveries[0]?.unreadable).toBeGreaterThanOrEqual(known - found);
    expect(recoveryNotice).toContain('older than its write-ahead log');
    expect(recoveryNotice).toMatch(/at least \d+ could not be read/);
    expect(recoveryNotice).not.toContain('You can delete');
  },
);

it(
  'keeps the damaged file or has the complete new file when the recovery is killed at any moment',
  { timeout: 180_000 },
  async () => {
    const before = await filled();
    overwritePages(place.file, 'search_postings');
    const copy = readFileSync(place.file);
    const rounds = bySize({ quick: 4, full: 24 });
    let finished = 0;
    let interrupted = 0;
    for (let round = 0; round < rounds; round += 1) {
      for (const side of ['', '-wal', '-shm']) rmSync(place.file + side, { force: true });
      writeFileSync(place.file, copy);
      await using child = runChild('migrate', place);
      await child.said(/ready/);
      // Half of the rounds kill after a machine-dependent time, the others in the middle of the recovery.
      if (round % 2 === 0) await new Promise((resolve) => setTimeout(resolve, round * 12));
      else
        while (!existsSync(unfinishedName(place.file)) && child.process.exitCode === null)
          await new Promise((resolve) => setImmediate(resolve));
      child.process.kill('SIGKILL');
      await child.ended;
      if (child.lines.includes('open')) finished += 1;
      if (existsSync(unfinishedName(place.file))) interrupted += 1;
      await using storage = await open();
      expect(dumpRecords(place.file)).toEqual(before);
      expect(existsSync(unfinishedName(place.file))).toBe(false);
      expect(storage.health().quarantined).toHaveLength(1);
      await storage.close();
      expect(isGood()).toEqual(['ok', []]);
      for (const kept of storage.health().quarantined) rmSync(kept);
    }
    expect(interrupted, `${finished} finished`).toBeGreaterThan(0);
  },
);

function countOf(database: Database, table: string): number {
  return database.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
}
