import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { StorageError } from '@claude-mem/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCurrentDatabase } from './current-database.js';

let folder: string;
let file: string;
let log: string[];

const replace = (text: string) => {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
};
/** Reads a file that represents a database. */
const create = () =>
  createCurrentDatabase(file, () => {
    const parts = { text: readFileSync(file, 'utf8') };
    log.push(`open ${parts.text}`);
    return {
      parts,
      isOutdated: () => readFileSync(file, 'utf8') !== parts.text,
      close: async () => void log.push(`close ${parts.text}`),
    };
  });

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'claude-mem-current-'));
  file = path.join(folder, 'claude-mem.db');
  log = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('current database', () => {
  it('is opened once for several calls', async () => {
    writeFileSync(file, 'one');
    const current = create();
    expect(await current.use(async ({ text }) => text)).toBe('one');
    expect(await current.use(async ({ text }) => text)).toBe('one');
    expect(log).toEqual(['open one']);
  });

  it('is reported as missing until its file exists', async () => {
    const current = create();
    await expect(current.use(async () => 1)).rejects.toMatchObject({ code: 'search/no-memory' });
    writeFileSync(file, 'one');
    expect(await current.use(async ({ text }) => text)).toBe('one');
  });

  it('is opened again when the open database is outdated', async () => {
    writeFileSync(file, 'one');
    const current = create();
    await current.use(async () => 1);
    writeFileSync(file, 'two');
    expect(await current.use(async ({ text }) => text)).toBe('two');
    expect(log).toEqual(['open one', 'close one', 'open two']);
  });

  it('is opened again when its file was replaced, and the old one is closed after its last use', async () => {
    writeFileSync(file, 'one');
    const current = create();
    let end = () => {};
    const slow = current.use(async ({ text }) => {
      await new Promise<void>((resolve) => (end = resolve));
      return text;
    });
    await new Promise(setImmediate);
    replace('two');
    expect(await current.use(async ({ text }) => text)).toBe('two');
    expect(log).toEqual(['open one', 'open two']);
    end();
    expect(await slow).toBe('one');
    expect(log).toEqual(['open one', 'open two', 'close one']);
  });

  it('repeats a failed call when the file was replaced during the call', async () => {
    writeFileSync(file, 'one');
    const current = create();
    const read = current.use(async ({ text }) => {
      if (text === 'two') return text;
      replace('two');
      throw new StorageError('storage/unreadable', 'disk image');
    });
    expect(await read).toBe('two');
    expect(log).toEqual(['open one', 'close one', 'open two']);
  });

  it('is opened again once when it is damaged, and other errors are rethrown at once', async () => {
    writeFileSync(file, 'one');
    const current = create();
    let times = 0;
    const corrupt = async () => {
      times += 1;
      throw new StorageError('storage/corrupt', 'damaged');
    };
    await expect(current.use(corrupt)).rejects.toMatchObject({ code: 'storage/corrupt' });
    expect(times).toBe(2);
    const failing = async () => {
      times += 1;
      throw new StorageError('storage/busy', 'locked');
    };
    await expect(current.use(failing)).rejects.toMatchObject({ code: 'storage/busy' });
    expect(times).toBe(3);
  });

  it('is reported as missing with the reason when its path cannot be read', async () => {
    symlinkSync(file, file);
    const failure = await create()
      .use(async () => 1)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'search/no-memory', message: expect.stringContaining('ELOOP') });
  });

  it('closes only after an earlier database has closed too', async () => {
    writeFileSync(file, 'one');
    const current = create();
    let end = () => {};
    const slow = current.use(() => new Promise<void>((resolve) => (end = resolve)));
    await new Promise(setImmediate);
    replace('two');
    await current.use(async () => undefined);
    const closing = current.close().then(() => log.push('all closed'));
    await new Promise(setImmediate);
    end();
    await Promise.all([slow, closing]);
    expect(log).toEqual(['open one', 'open two', 'close two', 'close one', 'all closed']);
  });

  it('closes once, after running calls, and rejects later calls', async () => {
    writeFileSync(file, 'one');
    const current = create();
    let end = () => {};
    const running = current.use(() => new Promise<void>((resolve) => (end = resolve)));
    await new Promise(setImmediate);
    const closing = [current.close(), current.close()];
    await expect(current.use(async () => 1)).rejects.toMatchObject({ code: 'search/closed' });
    expect(log).toEqual(['open one']);
    end();
    await Promise.all([...closing, running]);
    expect(log).toEqual(['open one', 'close one']);
    await create().close();
  });
});
