import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFixedClock } from '@claude-mem/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDayFile } from './create-day-file.js';
import { createLog } from './create-log.js';

const DAY = 86_400_000;
const NOON = new Date(2026, 0, 5, 12).getTime();
let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'cm-log-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('openDayFile', () => {
  it('writes one file per day that only its owner can read', async () => {
    const clock = createFixedClock(NOON);
    const file = openDayFile({ folder, clock });
    file.write('one\n');
    await clock.advance(DAY);
    file.write('two\n');
    file.close();
    expect(readdirSync(folder).sort()).toEqual(['worker-2026-01-05.log', 'worker-2026-01-06.log']);
    expect(readFileSync(file.path(), 'utf8')).toBe('two\n');
    expect(statSync(file.path()).mode & 0o777).toBe(0o600);
  });

  it('deletes log files older than the given number of days and no other file', () => {
    const clock = createFixedClock(NOON);
    for (const name of ['worker-2025-12-21.log', 'worker-2025-12-22.log', 'notes.txt', 'worker-start.log'])
      writeFileSync(join(folder, name), '');
    const file = openDayFile({ folder, clock });
    expect(file.prune(14)).toBe(1);
    expect(readdirSync(folder).sort()).toEqual(['notes.txt', 'worker-2025-12-22.log', 'worker-start.log']);
  });

  it('replaces a line that is too long by a short, valid line', () => {
    const file = openDayFile({ folder, clock: createFixedClock(NOON) });
    const log = createLog({ file, level: 'info' });
    log.info({ big: 'x'.repeat(1_000_000) }, 'Much');
    file.close();
    const text = readFileSync(file.path(), 'utf8');
    expect(text.length).toBeLessThan(16_000);
    expect(JSON.parse(text)).toMatchObject({ msg: 'Line too long' });
  });

  it('S07: adds no lines to the file of a day when the file has its maximum size', async () => {
    const clock = createFixedClock(NOON);
    const path = openDayFile({ folder, clock }).path();
    writeFileSync(path, '');
    truncateSync(path, 50_000_000 - 250);
    const added = () =>
      readFileSync(path)
        .subarray(50_000_000 - 250)
        .toString()
        .trim()
        .split('\n');
    const file = openDayFile({ folder, clock });
    for (let count = 0; count < 100; count += 1) file.write(`${'x'.repeat(99)}\n`);
    expect(added()).toHaveLength(4);
    expect(JSON.parse(added().at(-1) ?? '')).toMatchObject({
      level: 'warn',
      msg: expect.stringContaining('50000000'),
    });
    file.close();
    const again = openDayFile({ folder, clock });
    again.write('more\n');
    expect(added()).toHaveLength(4);
    await clock.advance(DAY);
    again.write('next\n');
    expect(readFileSync(again.path(), 'utf8')).toBe('next\n');
    expect(again.lostLines()).toBe(0);
    again.close();
  });

  it('counts lost lines when the file cannot be written', () => {
    const clock = createFixedClock(NOON);
    const file = openDayFile({ folder: '/dev/null/nowhere', clock });
    file.write('lost\n');
    expect(file.lostLines()).toBe(1);
  });
});

describe('createLog', () => {
  it('keeps code, message and cause of an error', () => {
    const file = openDayFile({ folder, clock: createFixedClock(NOON) });
    const cause = Object.assign(new Error('disk full'), { code: 'ENOSPC' });
    createLog({ file, level: 'info' }).error({ error: new Error('not stored', { cause }) }, 'Failed');
    file.close();
    expect(JSON.parse(readFileSync(file.path(), 'utf8'))).toMatchObject({
      level: 'error',
      msg: 'Failed',
      error: { message: 'not stored', cause: { code: 'ENOSPC', message: 'disk full' } },
    });
  });

  it('writes no line below its level', () => {
    const file = openDayFile({ folder, clock: createFixedClock(NOON) });
    const log = createLog({ file, level: 'warn' });
    log.info({}, 'quiet');
    expect(readdirSync(folder)).toEqual([]);
  });
});
