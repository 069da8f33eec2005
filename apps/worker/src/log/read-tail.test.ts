import {
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
  closeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTail } from './read-tail.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'cm-tail-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('readTail', () => {
  it('gives the last lines, oldest first', async () => {
    writeFileSync(join(folder, 'a.log'), 'one\ntwo\nthree\n');
    expect(await readTail(folder, 'a.log', 2)).toEqual(['two', 'three']);
  });

  it('gives nothing for a file that is not there', async () => {
    expect(await readTail(folder, 'a.log', 2)).toEqual([]);
  });

  it('B171: reads only the end of a log of 500 MB', async () => {
    const path = join(folder, 'a.log');
    writeFileSync(path, 'first\n');
    truncateSync(path, 500 * 1024 * 1024);
    const file = openSync(path, 'a');
    writeSync(file, '\nbefore last\nlast\n');
    closeSync(file);
    const before = process.memoryUsage.rss();
    const started = performance.now();
    expect(await readTail(folder, 'a.log', 2)).toEqual(['before last', 'last']);
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
  });

  it('B055: follows no link out of the folder', async () => {
    writeFileSync(join(folder, 'secret'), 'outside\n');
    symlinkSync(join(folder, 'secret'), join(folder, 'a.log'));
    expect(await readTail(folder, 'a.log', 5)).toEqual([]);
  });
});
