import { describe, expect, it } from 'vitest';
import { isSameError, readErrorPattern } from './error-pattern.js';

describe('readErrorPattern', () => {
  it.each([
    ["src/a.ts:12:5: error TS2304: Cannot find name 'total'", '…: error TS2304: Cannot find name …'],
    ['Error: connect ECONNREFUSED 127.0.0.1:5432', 'Error: connect ECONNREFUSED …'],
    ['ModuleNotFoundError: No module named “numpy”', 'ModuleNotFoundError: No module named …'],
    ['2026-11-30T10:12:01.5Z panic: request 17 timed out after 30s', '… panic: request … timed out after …'],
    ['fetch of https://example.com/a?b=1 failed with 503', 'fetch of … failed with …'],
    ['bad object 3f2a9bc0d1 for 6fa459ea-ee8a-3ca4-894e-db77e160355e', 'bad object … for …'],
  ])('replaces what differs between two occurrences of %s', (error, pattern) => {
    expect(readErrorPattern(error).text).toBe(pattern);
  });

  it('is the same when the project folder was removed from a path and a mail address was hidden', () => {
    const error = 'fatal: /home/ada/shop/src/cart.ts: bad owner ada@example.com';
    const stored = 'fatal: src/cart.ts: bad owner …';
    expect(readErrorPattern(stored)).toEqual(readErrorPattern(error));
  });
});

describe('isSameError', () => {
  const isSame = (left: string, right: string) =>
    isSameError(readErrorPattern(left), readErrorPattern(right));

  it('is true when lines and numbers differ and a quoted value is the same', () => {
    expect(
      isSame(
        "src/a.ts:12:5: error TS2304: Cannot find name 'total'",
        "src/b.ts:7:1: error TS2304: Cannot find name 'total'",
      ),
    ).toBe(true);
    expect(isSame('Error: out of memory after 12 rounds', 'Error: out of memory after 7 rounds')).toBe(true);
  });

  it('is false when the quoted values differ, even in the same file', () => {
    expect(
      isSame(
        "src/a.ts:12:5: error TS2304: Cannot find name 'total'",
        "src/a.ts:7:1: error TS2304: Cannot find name 'count'",
      ),
    ).toBe(false);
  });

  it('compares the files when no value is quoted', () => {
    const unused = (file: string, line: number) => `${file}:${line}:2: the import is not used here`;
    expect(isSame(unused('src/a.ts', 3), unused('src/a.ts', 9))).toBe(true);
    expect(isSame(unused('src/a.ts', 3), unused('src/b.ts', 3))).toBe(false);
  });

  it('takes only names with the extension of a file for files', () => {
    const banned = (file: string, name: string) =>
      `cmd/cli/${file}:12:5: os/exec.${name} must not be called. use os/exec.CommandContext (noctx)`;
    expect(readErrorPattern(banned('a.go', 'Command')).files).toEqual(new Set(['a.go']));
    expect(isSame(banned('a.go', 'Command'), banned('b.go', 'Command'))).toBe(false);
    expect(isSame(banned('a.go', 'Command'), banned('a.go', 'Command'))).toBe(true);
    expect(isSame(banned('a.go', 'Command'), banned('a.go', 'Start'))).toBe(false);
  });

  it('compares the names of functions and of programs without an extension', () => {
    const call = (name: string, file: string) => `${file}: TypeError: ${name} is not a function`;
    expect(isSame(call('cart.map', 'src/a.ts'), call('cart.map', 'src/b.ts'))).toBe(false);
    expect(isSame(call('cart.map', 'src/a.ts'), call('cart.sum', 'src/a.ts'))).toBe(false);
    const denied = (path: string) => `exec of ${path} fails: permission denied`;
    expect(isSame(denied('/home/ada/shop/bin/serve'), denied('bin/serve'))).toBe(true);
    expect(isSame(denied('bin/serve'), denied('bin/build'))).toBe(false);
  });

  it('is false when the pattern has fewer than three words', () => {
    expect(isSame('Error: 12', 'Error: 12')).toBe(false);
  });
});
