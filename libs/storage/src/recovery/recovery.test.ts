import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { createFixedClock } from '@claude-mem/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { overwritePages } from '../__fixtures__/damage.js';
import { createEvents } from '../__fixtures__/events.js';
import { createTestFolder, type TestFolder } from '../__fixtures__/open-test-storage.js';
import { runChild } from '../__fixtures__/run-child.js';
import { draft, reply } from '../__fixtures__/replies.js';
import { loadDriver } from '../database/driver.js';
import { openStorage, type Storage } from '../index.js';
import { unfinishedName } from './replace-database.js';

let place: TestFolder;
beforeEach(() => {
  place = createTestFolder();
});
afterEach(() => place[Symbol.dispose]());

const DAY = 24 * 60 * 60 * 1_000;
const hash = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
const clock = createFixedClock();
const open = () => openStorage({ ...place, clock });

/** Stores observations on many pages, with few words because indexing words takes long. */
async function fill(storage: Storage, session: string, count = 300) {
  const [first] = await storage.store.capture([createEvents(session).prompt('one')]);
  const observations = Array.from({ length: count }, (_, index) =>
    draft({ title: `${session} ${index}`, narrative: `${index} ${'.'.repeat(1_500)}` }),
  );
  await storage.store.commitReply(reply(first!.sessionId, { observations }));
}

/** Overwrites a page of the records, which only a backup can restore. */
function overwriteRecords(file: string) {
  overwritePages(file, 'observations', (pages) => [pages[Math.floor(pages.length / 2)]!]);
}

/** Overwrites a page without a checkpoint, so that the log is unchanged. */
function overwriteMiddle(file: string) {
  const database = loadDriver().open(file, { readonly: true });
  const offsets = database
    .prepare(`SELECT pgoffset FROM dbstat WHERE name = 'observations' AND pagetype = 'leaf' ORDER BY pageno`)
    .pluck()
    .all() as number[];
  database.close();
  const descriptor = openSync(file, 'r+');
  const middle = offsets[Math.floor(offsets.length / 2)]!;
  writeSync(descriptor, Buffer.alloc(4_096, 0xa5), 0, 4_096, middle);
  closeSync(descriptor);
}

const kept = () => readdirSync(place.folder).filter((name) => name.includes('.corrupt-'));

describe('B046: a damaged database', () => {
  it('is renamed, its readable records are saved, and the others are restored from the backup', async () => {
    {
      await using storage = await open();
      await fill(storage, 'before');
      await storage.backup();
    }
    overwriteRecords(place.file);
    const damaged = hash(place.file);
    await using storage = await open();
    expect(kept()).toHaveLength(1);
    expect(hash(path.join(place.folder, kept()[0]!))).toBe(damaged);
    const [recovery] = storage.health().recoveries;
    expect(recovery?.restoredFrom).toMatch(/backups/);
    expect(storage.health()).toMatchObject({
      status: 'degraded',
      notices: [expect.stringMatching(/was renamed to.*everything was saved.*from the backup/)],
    });
    expect((await storage.store.stats()).observations).toBe(300);
    expect(await storage.store.capture([createEvents('new').prompt('two')])).toMatchObject([
      { kind: 'stored' },
    ]);
    expect((statSync(place.file).mode & 0o777).toString(8)).toBe('600');
  });

  it('is kept together with the log of a killed process', { timeout: 60_000 }, async () => {
    {
      await using storage = await open();
      await fill(storage, 'before');
    }
    {
      await using child = runChild('capture-many', place, 'killed');
      await child.said(/^5$/);
    }
    overwriteMiddle(place.file);
    const damaged = [hash(place.file), hash(`${place.file}-wal`)];
    await using storage = await open();
    const [recovery] = storage.health().recoveries;
    expect([hash(recovery!.quarantinedAs), hash(`${recovery!.quarantinedAs}-wal`)]).toEqual(damaged);
  });

  it('is recovered without a backup as far as it is readable, and the number of lost records is reported', async () => {
    {
      await using storage = await open();
      await fill(storage, 'before');
    }
    overwriteRecords(place.file);
    const notice = expect.stringMatching(/was renamed to.*could not be read\. Keep /);
    {
      await using storage = await open();
      const { observations } = await storage.store.stats();
      expect(observations).toBeGreaterThan(250);
      expect(storage.health()).toMatchObject({
        status: 'degraded',
        recoveries: [{ restoredFrom: null, observations, unreadable: 300 - observations }],
        notices: [notice],
      });
    }
    await using again = await open();
    expect(again.health()).toMatchObject({
      status: 'ok',
      quarantined: [expect.stringContaining('.corrupt-')],
    });
    expect(again.health().notices).toEqual([notice]);
  });

  it('is restored from the newest backup that is not damaged', async () => {
    {
      await using storage = await open();
      await fill(storage, 'good');
      await storage.backup();
      await clock.advance(DAY);
      overwriteMiddle(await storage.backup());
      await clock.advance(DAY);
      writeFileSync(path.join(place.backupsDir, 'claude-mem-2026-05-05T00-00-00-000Z.db'), 'no database');
    }
    overwriteRecords(place.file);
    await using storage = await open();
    expect((await storage.store.stats()).observations).toBe(300);
    expect(storage.health().recoveries).toMatchObject([{ restoredFrom: expect.any(String), unreadable: 0 }]);
  });

  it('is replaced when the damage appears during a write, and the write is repeated on the new database', async () => {
    await using storage = await open();
    await fill(storage, 'before');
    await storage.backup();
    await storage.maintain();
    const size = statSync(place.file).size;
    const descriptor = openSync(place.file, 'r+');
    writeSync(descriptor, Buffer.alloc(size - 4_096, 0xa5), 0, size - 4_096, 4_096);
    closeSync(descriptor);
    const damaged = hash(place.file);
    // another connection must change the file, so that this connection reads its pages again
    const other = loadDriver().open(place.file, {});
    other.pragma('user_version = 4');
    expect(await storage.store.capture([createEvents('during').prompt('two')])).toMatchObject([
      { kind: 'stored' },
    ]);
    other.close();
    expect((await storage.store.stats()).observations).toBe(300);
    expect(storage.health()).toMatchObject({
      status: 'degraded',
      recoveries: [{ restoredFrom: expect.any(String) }],
    });
    expect(
      hash(
        path.join(
          place.folder,
          kept().find((name) => !name.endsWith('-wal'))!,
        ),
      ),
    ).toBe(damaged);
  });

  it('is replaced a minute after a failed replacement', async () => {
    await using storage = await open();
    await fill(storage, 'before');
    await storage.backup();
    await storage.maintain();
    overwriteRecords(place.file);
    await clock.advance(DAY);
    const obstacle = unfinishedName(place.file);
    mkdirSync(obstacle);
    await expect(storage.maintain()).rejects.toThrow('could not be replaced');
    expect(storage.health()).toMatchObject({ status: 'failed' });
    rmSync(obstacle, { recursive: true });
    await expect(storage.store.stats()).rejects.toThrow('could not be replaced');
    await clock.advance(60_000);
    const countRecords = async () => (await storage.store.stats()).observations;
    await expect.poll(() => countRecords().catch(() => 0), { timeout: 20_000 }).toBe(300);
    expect(storage.health()).toMatchObject({ status: 'degraded' });
  });

  it('is found by maintenance when no query has read the damaged page', async () => {
    await using storage = await open();
    await fill(storage, 'before');
    await storage.backup();
    await storage.maintain();
    await storage.store.capture([createEvents('unwritten').prompt('still in the log')]);
    overwriteMiddle(place.file);
    const damaged = hash(place.file);
    await clock.advance(DAY);
    await storage.maintain();
    expect(
      hash(
        path.join(
          place.folder,
          kept().find((name) => !name.endsWith('-wal'))!,
        ),
      ),
    ).toBe(damaged);
    expect(kept()).toHaveLength(2);
    expect(storage.health()).toMatchObject({
      status: 'degraded',
      recoveries: [{ restoredFrom: expect.any(String) }],
    });
    expect((await storage.store.stats()).observations).toBe(300);
  });

  it('is renamed when the file is not a database', async () => {
    writeFileSync(place.file, 'this was a database once'.repeat(100));
    const before = hash(place.file);
    await using storage = await open();
    expect(storage.health()).toMatchObject({ status: 'degraded' });
    expect(hash(path.join(place.folder, kept()[0]!))).toBe(before);
  });
});

describe('backups', () => {
  it('R25: removes the unfinished backup of a killed process at the next start', async () => {
    mkdirSync(place.backupsDir, { recursive: true });
    const nameOf = (pid: number) => `.claude-mem-2026-05-05T00-00-00-000Z.db.${pid}.tmp`;
    for (const name of [nameOf(999_999_999), `${nameOf(999_999_999)}-journal`, nameOf(process.pid)])
      writeFileSync(path.join(place.backupsDir, name), '');
    await using _storage = await openStorage({ ...place, clock });
    expect(readdirSync(place.backupsDir)).toEqual([nameOf(process.pid)]);
  });

  it('are complete, written daily by maintenance, and limited to the newest', async () => {
    await using storage = await openStorage({ ...place, clock, backupKeep: 3 });
    await fill(storage, 'one', 5);
    for (let day = 0; day < 5; day += 1) {
      await storage.maintain();
      await storage.maintain();
      await clock.advance(DAY);
    }
    const names = readdirSync(place.backupsDir);
    expect(names).toHaveLength(3);
    expect(names.every((name) => name.endsWith('.db'))).toBe(true);
    expect(storage.health().lastBackupEpoch).toBe(clock.now() - DAY);
    copyFileSync(path.join(place.backupsDir, names[0]!), path.join(place.folder, 'copy.db'));
    await using copy = await openStorage({ ...place, file: path.join(place.folder, 'copy.db') });
    expect((await copy.store.stats()).observations).toBe(5);
  });
});
