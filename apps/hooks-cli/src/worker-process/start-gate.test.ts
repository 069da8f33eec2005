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
import { passStartGate, START_COOL_DOWN_MS, takeStartGate } from './start-gate.js';

describe('the start gate', () => {
  let folder: string;
  let gate: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cm-gate-'));
    gate = join(folder, 'starting');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('B006: lets one through and holds the others until the cool-down is over', () => {
    const now = Date.now();
    expect(passStartGate(gate, { now })).toBe('open');
    expect(passStartGate(gate, { now: now + 1_000 })).toBe('held');
    expect(passStartGate(gate, { now: now + START_COOL_DOWN_MS + 1_000 })).toBe('open');
    expect(existsSync(gate)).toBe(true);
  });

  it('B006: renews an old lock like hook.sh, by a folder that only one process can create', () => {
    const created = Math.floor(Date.now() / 1000) - 31;
    const makeOld = () => utimesSync(gate, created, created);
    mkdirSync(gate);
    makeOld();
    expect(passStartGate(gate, { now: Date.now() })).toBe('open');
    expect(readdirSync(folder)).toEqual(['starting']);
    expect(readdirSync(gate)).toEqual([String(created)]);
    // another process that read the time of the lock before the lock was renewed
    makeOld();
    expect(passStartGate(gate, { now: Date.now() })).toBe('held');
  });

  it('does not wait for a time that is to come', () => {
    passStartGate(gate, { now: Date.now() });
    expect(passStartGate(gate, { now: Date.now() - 60_000 })).toBe('open');
  });

  it.each([
    ['a link that leads nowhere', () => symlinkSync(join(folder, 'nowhere'), gate)],
    ['a link to a folder', () => symlinkSync(folder, gate)],
    ['a file', () => writeFileSync(gate, '')],
  ])('lets one through where %s is in its place', (_, put) => {
    const now = Date.now();
    put();
    expect(passStartGate(gate, { now })).toBe('open');
    expect(passStartGate(gate, { now })).toBe('held');
    rmSync(gate, { recursive: true });
    put();
    takeStartGate(gate, { now });
    expect(passStartGate(gate, { now })).toBe('held');
  });

  describe.runIf(process.getuid?.() === 0)('and a folder of another user', () => {
    const NOBODY = 65_534;
    beforeEach(() => chownSync(folder, NOBODY, NOBODY));

    function putOldFolder(path: string, { isFull }: { isFull: boolean }) {
      mkdirSync(path);
      if (isFull) writeFileSync(join(path, 'kept'), '');
      utimesSync(path, Date.now() / 1000 - 31, Date.now() / 1000 - 31);
    }

    function asNobody<Result>(work: () => Result): Result {
      process.seteuid?.(NOBODY);
      try {
        return work();
      } finally {
        process.seteuid?.(0);
      }
    }

    it.each([
      ['empty', false],
      ['full', true],
    ])('is taken away where it is %s and old', (_, isFull) => {
      putOldFolder(gate, { isFull });
      const pass = () => asNobody(() => passStartGate(gate, { now: Date.now() }));
      expect([pass(), pass()]).toEqual(['open', 'held']);
      expect(statSync(gate).uid).toBe(NOBODY);
    });

    it('is taken away by a person who starts it', () => {
      putOldFolder(gate, { isFull: true });
      asNobody(() => takeStartGate(gate, { now: Date.now() }));
      expect(statSync(gate).uid).toBe(NOBODY);
    });

    it('holds every start, and stops no hook, where it cannot be taken away', () => {
      putOldFolder(gate, { isFull: true });
      chownSync(folder, 0, 0);
      chmodSync(folder, 0o755);
      expect(asNobody(() => passStartGate(gate, { now: Date.now() }))).toBe('held');
    });
  });

  it('is renewed by a person who starts it', () => {
    passStartGate(gate, { now: Date.now() });
    const later = Math.floor(Date.now() / 1000) * 1000 + 60_000;
    takeStartGate(gate, { now: later });
    expect(statSync(gate).mtimeMs).toBe(later);
    expect(passStartGate(gate, { now: later + 1_000 })).toBe('held');
  });

  it('says when the folder cannot be used', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(passStartGate(join(folder, 'file', 'starting'), { now: Date.now() })).toBe('unusable');
    expect(passStartGate(join(folder, 'none', 'starting'), { now: Date.now() })).toBe('unusable');
  });
});
