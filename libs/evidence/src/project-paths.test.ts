import { describe, expect, it } from 'vitest';
import { createPathReader, isScratchPath } from './project-paths.js';

describe('createPathReader', () => {
  const read = createPathReader('/home/dev/shop', '/home/dev/shop/api');

  it('returns a relative path when the path is below the project root', () => {
    expect(read('/home/dev/shop/src/a.ts')).toBe('src/a.ts');
    expect(read('./src/../b.ts', '/home/dev/shop/web')).toBe('web/b.ts');
    expect(read('c.ts')).toBe('api/c.ts');
  });

  it('converts backslashes of Windows paths to slashes', () => {
    expect(createPathReader('C:\\work\\shop', null)('C:\\work\\shop\\src\\a.ts')).toBe('src/a.ts');
  });

  it.each([
    ['W:\\shop', 'w:\\shop\\src\\b.ts', 'src/b.ts'],
    ['w:/shop', 'W:/Shop/src/D.ts', 'src/D.ts'],
    ['//server/share/shop', '\\\\server\\share\\shop\\src\\a.ts', 'src/a.ts'],
  ])('R02: ignores the case of Windows folders: %s contains %s', (root, path, expected) => {
    expect(createPathReader(root, null)(path)).toBe(expected);
  });

  it('does not treat a folder as the root when only the beginning of its name is the same', () => {
    expect(read('/home/dev/shop-old/a.ts')).toBe('~/shop-old/a.ts');
  });

  it('replaces the home folder with a tilde in paths outside the project', () => {
    expect(read('/Users/somebody/other/a.ts')).toBe('~/other/a.ts');
  });

  it('returns null for temporary files, host files and tool folders', () => {
    for (const path of [
      '/tmp/x.go',
      '/private/tmp/x.go',
      '/var/folders/ab/x.txt',
      '/home/dev/.claude/plans/plan.md',
      '/home/dev/.claude/projects/p/s.jsonl',
      '/home/dev/shop/.git/COMMIT_EDITMSG',
      '/home/dev/shop/node_modules/a/index.js',
      '/dev/null',
    ]) {
      expect(read(path)).toBeNull();
    }
  });

  it('keeps project files in a folder of a host', () => {
    expect(read('/home/dev/shop/.claude/scripts/run.sh')).toBe('.claude/scripts/run.sh');
    expect(read('/home/dev/shop/.gemini/settings.json')).toBe('.gemini/settings.json');
  });
});

it('recognizes folders for temporary files', () => {
  expect(isScratchPath('/tmp/test.go')).toBe(true);
  expect(isScratchPath('/private/tmp')).toBe(true);
  expect(isScratchPath('tmp/test.go')).toBe(false);
});
