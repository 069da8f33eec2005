import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFixedClock } from '@claude-mem/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRealPathReader, realPathOf } from './real-path.js';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'cm-real-')));
  mkdirSync(join(root, 'a', 'deep'), { recursive: true });
  symlinkSync(join(root, 'a'), join(root, 'link'));
  writeFileSync(join(root, 'a', 'file'), '');
  symlinkSync(join(root, 'a', 'file'), join(root, 'file-link'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('createRealPathReader', () => {
  it.each(['a', 'a/file', 'link', 'link/deep', 'link/file', 'link/none/at/all', 'file-link', 'nothing', '.'])(
    'returns the same path as realPathOf for %s',
    (path) => {
      const read = createRealPathReader();
      for (const follow of [read.file, read.folder, read.file])
        expect(follow(join(root, path))).toBe(realPathOf(join(root, path)));
    },
  );

  it('returns the new path of a replaced folder after keepMs', async () => {
    const clock = createFixedClock();
    const read = createRealPathReader({ clock, keepMs: 1_000 });
    expect(read.file(join(root, 'link', 'file'))).toBe(join(root, 'a', 'file'));
    rmSync(join(root, 'link'));
    mkdirSync(join(root, 'link'));
    await clock.advance(1_000);
    expect(read.file(join(root, 'link', 'file'))).toBe(join(root, 'link', 'file'));
  });
});
