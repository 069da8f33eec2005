import { describe, expect, it } from 'vitest';
import { createPathReader, isScratch } from './project-paths.js';

describe('createPathReader', () => {
  const read = createPathReader('/home/dev/shop', '/home/dev/shop/api');

  it('makes paths below the root relative', () => {
    expect(read('/home/dev/shop/src/a.ts')).toBe('src/a.ts');
    expect(read('./src/../b.ts', '/home/dev/shop/web')).toBe('web/b.ts');
    expect(read('c.ts')).toBe('api/c.ts');
  });

  it('writes folders of Windows with slashes', () => {
    expect(createPathReader('C:\\work\\shop', null)('C:\\work\\shop\\src\\a.ts')).toBe('src/a.ts');
  });

  it.each([
    ['W:\\shop', 'w:\\shop\\src\\b.ts', 'src/b.ts'],
    ['w:/shop', 'W:/Shop/src/D.ts', 'src/D.ts'],
    ['//server/share/shop', '\\\\server\\share\\shop\\src\\a.ts', 'src/a.ts'],
  ])('R02: ignores the case of Windows folders: %s contains %s', (root, path, expected) => {
    expect(createPathReader(root, null)(path)).toBe(expected);
  });

  it('does not take a folder with the same beginning for the root', () => {
    expect(read('/home/dev/shop-old/a.ts')).toBe('~/shop-old/a.ts');
  });

  it('names no user in a path outside', () => {
    expect(read('/Users/somebody/other/a.ts')).toBe('~/other/a.ts');
  });

  it('leaves out temporary files, the own files of hosts and tool folders', () => {
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

  it('keeps files of the project in a folder of a host', () => {
    expect(read('/home/dev/shop/.claude/scripts/run.sh')).toBe('.claude/scripts/run.sh');
    expect(read('/home/dev/shop/.gemini/settings.json')).toBe('.gemini/settings.json');
  });
});

it('knows folders for temporary files', () => {
  expect(isScratch('/tmp/test.go')).toBe(true);
  expect(isScratch('/private/tmp')).toBe(true);
  expect(isScratch('tmp/test.go')).toBe(false);
});
