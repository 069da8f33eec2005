import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireStartupLock, START_COOL_DOWN_MS, takeOverStartupLock } from './startup-lock.js';

describe('startup lock', () => {
  let folder: string;
  let lock: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cm-lock-'));
    lock = join(folder, 'starting');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('B006: is acquired by one process, and by no other until the cool-down ends', () => {
    const now = Date.now();
    expect(acquireStartupLock(lock, { now })).toBe('acquired');
    expect(acquireStartupLock(lock, { now: now + 1_000 })).toBe('held');
    expect(acquireStartupLock(lock, { now: now + START_COOL_DOWN_MS + 1_000 })).toBe('acquired');
    expect(existsSync(lock)).toBe(true);
  });

  it('B006: is renewed with a folder that only one process can create, as in hook.sh', () => {
    const created = Math.floor(Date.now() / 1000) - 31;
    const makeOld = () => utimesSync(lock, created, created);
    mkdirSync(lock);
    makeOld();
    expect(acquireStartupLock(lock, { now: Date.now() })).toBe('acquired');
    expect(readdirSync(folder)).toEqual(['starting']);
    expect(readdirSync(lock)).toEqual([String(created)]);
    // another process read the time of the lock before the lock was renewed
    makeOld();
    expect(acquireStartupLock(lock, { now: Date.now() })).toBe('held');
  });

  it('is acquired when its time is in the future', () => {
    acquireStartupLock(lock, { now: Date.now() });
    expect(acquireStartupLock(lock, { now: Date.now() - 60_000 })).toBe('acquired');
  });

  it.each([
    ['a link that leads nowhere', () => symlinkSync(join(folder, 'nowhere'), lock)],
    ['a link to a folder', () => symlinkSync(folder, lock)],
    ['a file', () => writeFileSync(lock, '')],
  ])('is acquired when its path is %s', (_, put) => {
    const now = Date.now();
    put();
    expect(acquireStartupLock(lock, { now })).toBe('acquired');
    expect(acquireStartupLock(lock, { now })).toBe('held');
    rmSync(lock, { recursive: true });
    put();
    takeOverStartupLock(lock, { now });
    expect(acquireStartupLock(lock, { now })).toBe('held');
  });

  describe.runIf(process.getuid?.() === 0)('a lock folder of another user', () => {
    const OTHER_USER = 65_534;
    beforeEach(() => chownSync(folder, OTHER_USER, OTHER_USER));

    function putOldFolder(path: string, { isFull }: { isFull: boolean }) {
      mkdirSync(path);
      if (isFull) writeFileSync(join(path, 'kept'), '');
      utimesSync(path, Date.now() / 1000 - 31, Date.now() / 1000 - 31);
    }

    function asOtherUser<Result>(work: () => Result): Result {
      process.seteuid?.(OTHER_USER);
      try {
        return work();
      } finally {
        process.seteuid?.(0);
      }
    }

    it.each([
      ['empty', false],
      ['full', true],
    ])('is removed when it is %s and old', (_, isFull) => {
      putOldFolder(lock, { isFull });
      const pass = () => asOtherUser(() => acquireStartupLock(lock, { now: Date.now() }));
      expect([pass(), pass()]).toEqual(['acquired', 'held']);
      expect(statSync(lock).uid).toBe(OTHER_USER);
    });

    it('is removed when a user starts the worker', () => {
      putOldFolder(lock, { isFull: true });
      asOtherUser(() => takeOverStartupLock(lock, { now: Date.now() }));
      expect(statSync(lock).uid).toBe(OTHER_USER);
    });

    it('prevents starts but keeps events when it cannot be removed', () => {
      putOldFolder(lock, { isFull: true });
      chownSync(folder, 0, 0);
      chmodSync(folder, 0o755);
      expect(asOtherUser(() => acquireStartupLock(lock, { now: Date.now() }))).toBe('held');
    });
  });

  it('is renewed when a user starts the worker', () => {
    acquireStartupLock(lock, { now: Date.now() });
    const later = Math.floor(Date.now() / 1000) * 1000 + 60_000;
    takeOverStartupLock(lock, { now: later });
    expect(statSync(lock).mtimeMs).toBe(later);
    expect(acquireStartupLock(lock, { now: later + 1_000 })).toBe('held');
  });

  it('is reported as unusable when its folder cannot be used', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(acquireStartupLock(join(folder, 'file', 'starting'), { now: Date.now() })).toBe('unusable');
    expect(acquireStartupLock(join(folder, 'none', 'starting'), { now: Date.now() })).toBe('unusable');
  });
});
