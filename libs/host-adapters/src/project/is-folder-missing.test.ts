import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isFolderMissing } from './is-folder-missing.js';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'missing-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('R03: reports a folder as missing only when nothing exists at its path', async () => {
  mkdirSync(join(folder, 'cafe\u0301'));
  writeFileSync(join(folder, 'file'), '');
  expect(await isFolderMissing(folder)).toBe(false);
  expect(await isFolderMissing(join(folder, 'cafe\u0301'))).toBe(false);
  expect(await isFolderMissing(join(folder, 'caf\u00e9'))).toBe(!existsSync(join(folder, 'caf\u00e9')));
  expect(await isFolderMissing(join(folder, 'gone', 'deep'))).toBe(true);
  expect(await isFolderMissing(join(folder, 'file', 'below'))).toBe(true);
  for (const path of ['neutral', 'relative/gone']) expect(await isFolderMissing(path)).toBe(false);
});

it.skipIf(process.platform === 'win32')(
  'R03: never reports a Windows folder as missing on another system',
  async () => {
    expect(await isFolderMissing('C:/Users/Ann/shop')).toBe(false);
  },
);
