import { describe, expect, it } from 'vitest';
import { isSameError, formatQuotableError, readErrorPattern } from './error-pattern.js';

describe('readErrorPattern', () => {
  it.each([
    ["src/a.ts:12:5: error TS2304: Cannot find name 'total'", '…: error TS2304: Cannot find name …'],
    ['Error: connect ECONNREFUSED 127.0.0.1:5432', 'Error: connect ECONNREFUSED …'],
    ['ModuleNotFoundError: No module named “numpy”', 'ModuleNotFoundError: No module named …'],
    ['2026-11-30T10:12:01.5Z panic: request 17 timed out after 30s', '… panic: request … timed out after …'],
    ['fetch of https://example.com/a?b=1 failed with 503', 'fetch of … failed with …'],
    ["src/a.ts(7,5): error TS2322: Type 'string' has no use", '…: error TS2322: Type … has no use'],
    ['error: borrow of moved value: `s` (src/a.rs:7:5)', 'error: borrow of moved value: …'],
    ['bad object 3f2a9bc0d1 for 6fa459ea-ee8a-3ca4-894e-db77e160355e', 'bad object … for …'],
  ])('replaces the variable parts of %s', (error, pattern) => {
    expect(readErrorPattern(error).text).toBe(pattern);
  });

  it('returns the same pattern when the project folder was removed from a path and a mail address was masked', () => {
    const error = 'fatal: /home/ada/shop/src/cart.ts: bad owner ada@example.com';
    const stored = 'fatal: src/cart.ts: bad owner …';
    expect(readErrorPattern(stored).text).toBe(readErrorPattern(error).text);
    expect(isSameError(readErrorPattern(stored), readErrorPattern(error))).toBe(true);
  });
});

describe('isSameError', () => {
  const isSame = (left: string, right: string) =>
    isSameError(readErrorPattern(left), readErrorPattern(right));

  it('returns true when only lines and numbers differ', () => {
    expect(
      isSame(
        "src/a.ts:12:5: error TS2304: Cannot find name 'total'",
        "src/a.ts:7:1: error TS2304: Cannot find name 'total'",
      ),
    ).toBe(true);
    const assertion = (numbers: string, line: number) =>
      `AssertionError: expected ${numbers} // Object.is equality (src/a.test.ts:${line})`;
    expect(isSame(assertion('3 to be 4', 5), assertion('13 to be 14', 9))).toBe(true);
    expect(isSame("Error: Cannot find module 'left-pad'", "Error: Cannot find module 'left-pad'")).toBe(true);
  });

  it.each([
    "src/FILE.ts(7,5): error TS2322: Type 'string' is not assignable to type 'number'.",
    "src/FILE.ts(7,5): error TS2532: Object is possibly 'undefined'.",
    'error[E0382]: borrow of moved value: `s` (src/FILE.rs:7:5)',
    "TypeError: Cannot read properties of undefined (reading 'length') (src/FILE.js:3)",
    'AssertionError: expected 3 to be 4 // Object.is equality (src/FILE.test.ts:5)',
    "src/FILE/index.ts(7,5): error TS2532: Object is possibly 'undefined'.",
  ])('returns false when the files differ: %s', (error) => {
    expect(isSame(error.replace('FILE', 'money'), error.replace('FILE', 'money'))).toBe(true);
    expect(isSame(error.replace('FILE', 'money'), error.replace('FILE', 'router'))).toBe(false);
  });

  it.each([
    [
      "a.ts: Property 'total' does not exist on type 'Cart'",
      "a.ts: Property 'voucher' does not exist on type 'Cart'",
    ],
    ["'NoneType' object has no attribute 'total'", "'NoneType' object has no attribute 'route'"],
    ["unsupported operand types: 'int' and 'str'", "unsupported operand types: 'str' and 'int'"],
    ["unsupported operand types: 'int' and 'str'", "unsupported operand types: 'int' and 'int'"],
  ])('returns false when only some of the quoted values are the same: %s', (left, right) => {
    expect(isSame(left, left)).toBe(true);
    expect(isSame(left, right)).toBe(false);
  });

  it.each([
    'AssertionError: expected 3 to be 4 // Object.is equality',
    '✖ 1 problem (1 error, 0 warnings)',
    'Error: out of memory after 12 rounds',
    "Execution failed for task ':app:compileJava'.",
    "Error: Command 'build' exited with 1",
  ])(
    'returns false when an error contains neither a value nor a file, or only reports that a step failed: %s',
    (error) => {
      expect(isSame(error, error)).toBe(false);
    },
  );

  it('returns false when the quoted values differ in the same file', () => {
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

  it('treats a name as a file only when it has a file extension', () => {
    const banned = (file: string, name: string) =>
      `cmd/cli/${file}:12:5: os/exec.${name} must not be called. use os/exec.CommandContext (noctx)`;
    expect(readErrorPattern(banned('a.go', 'Command')).files).toEqual(new Set(['cmd/cli/a.go']));
    expect(isSame(banned('a.go', 'Command'), banned('b.go', 'Command'))).toBe(false);
    expect(isSame(banned('a.go', 'Command'), banned('a.go', 'Command'))).toBe(true);
    expect(isSame(banned('a.go', 'Command'), banned('a.go', 'Start'))).toBe(false);
  });

  it('compares the names of functions and of programs without an extension', () => {
    const call = (name: string, file: string) => `${file}: TypeError: ${name} is not a function`;
    expect(isSame(call('cart.map', 'src/a.ts'), call('cart.map', 'src/b.ts'))).toBe(false);
    expect(isSame(call('cart.map', 'src/a.ts'), call('cart.sum', 'src/a.ts'))).toBe(false);
    const denied = (path: string) => `exec of ${path} fails for 'ada': permission denied`;
    expect(isSame(denied('/home/ada/shop/bin/serve'), denied('bin/serve'))).toBe(true);
    expect(isSame(denied('bin/serve'), denied('bin/build'))).toBe(false);
  });

  describe('isSameError with a truncated error', () => {
    const isKnown = (stored: string, error: string) => isSame(formatQuotableError(stored), error);
    const repeated = (line: string, number: string, end = 'and make it a constant instead') =>
      `cmd/entire/cli/transcript/transcript.go:${line}: string "user" has ${number} occurrences in all the files of this package, but such a string ${end}`;

    it.each([
      ['95:24', '3', '105:24', '3'],
      ['105:24', '3', '95:24', '3'],
      ['95:24', '3', '10500:2400', '30000'],
      ['9:2', '3', '9:2', '3'],
    ])(
      'compares the text before the cut: line %s with %s and line %s with %s',
      (line, number, later, more) => {
        expect(isKnown(repeated(line, number), repeated(later, more))).toBe(true);
        expect(isKnown(repeated(line, number), repeated(later, more).replace('occurrences', 'uses'))).toBe(
          false,
        );
      },
    );

    const argument = (type: string, line: number) =>
      `src/cart/${'deep/'.repeat(12)}a.ts(${line},5): error TS2345: Argument of type '{ item: string; ${type}: number; unit: string }' is not assignable to parameter of type 'Item'.`;

    it('compares the beginning of a quoted value when the value is truncated', () => {
      expect(isKnown(argument('amount', 5), argument('amount', 1200))).toBe(true);
      expect(isKnown(argument('amount', 5), argument('rate', 5))).toBe(false);
      expect(isKnown(argument('amount', 5).replace('{ item', '{ thing'), argument('amount', 5))).toBe(false);
    });

    it('compares the files when the quoted values come after the cut', () => {
      const error = (file: string) =>
        `src/${file}: the import is not used here and should be removed from the list of the imports of this file, because the linter has found the name 'total' there`;
      expect(isKnown(error('a.ts'), error('a.ts'))).toBe(true);
      expect(isKnown(error('a.ts'), error('b.ts'))).toBe(false);
    });

    it('compares the quoted values before the cut in their order', () => {
      const error = (...[first, second, third]: string[]) =>
        `src/a.ts(7,5): error TS2345: Argument of type '${first}' is not assignable to parameter of type '${second}', and in all other calls it is not assignable to '${third}'.`;
      expect(isKnown(error('Cart', 'Item', 'Unit'), error('Cart', 'Item', 'Unit'))).toBe(true);
      expect(isKnown(error('Cart', 'Item', 'Unit'), error('Cart', 'Unit', 'Item'))).toBe(false);
      expect(isKnown(error('Cart', 'Item', 'Unit'), error('Item', 'Cart', 'Unit'))).toBe(false);
    });

    it('returns false when the truncated error has fewer than three words', () => {
      expect(isKnown(`Error: ${'x'.repeat(200)}`, `Error: ${'x'.repeat(200)}`)).toBe(false);
    });
  });

  it('returns false when the pattern has fewer than three words', () => {
    expect(isSame('Error: 12', 'Error: 12')).toBe(false);
  });
});

it('keeps double quotes in a quotable error and replaces only typographic quotation marks', () => {
  expect(formatQuotableError('want "a", got “b”')).toBe('want "a", got ‘b’');
});
