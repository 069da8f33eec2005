import { describe, expect, it } from 'vitest';
import { absolutePathOf } from './absolute-path-of.js';

describe.skipIf(process.platform === 'win32')('R02: absolutePathOf', () => {
  it.each([
    ['/a/b.ts', '/w', '/a/b.ts'],
    ['b.ts', '/w', '/w/b.ts'],
    ['./x/../b.ts', '/w', '/w/b.ts'],
    ['~/b.ts', '/w', '/home/dev/b.ts'],
    ['b.ts', '~/shop', '/home/dev/shop/b.ts'],
  ])('resolves %s in the folder %s', (path, cwd, expected) => {
    expect(absolutePathOf(path, { cwd, home: '/home/dev' })).toBe(expected);
  });

  it.each([
    ['b.ts', null],
    ['b.ts', 'relative'],
    ['src/b.ts', 'C:\\Users\\First Last\\repo'],
    ['C:\\Users\\First Last\\repo\\b.ts', 'C:\\Users\\First Last\\repo'],
    ['c:/repo/b.ts', '/w'],
    ['\\\\server\\share\\b.ts', '/w'],
  ])('returns null for %s in the folder %s', (path, cwd) => {
    expect(absolutePathOf(path, { cwd, home: '/home/dev' })).toBeNull();
  });
});
