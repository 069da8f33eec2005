import { describe, expect, it } from 'vitest';
import { findErrorLine } from './error-line.js';

describe('findErrorLine', () => {
  it.each([
    [
      [
        '> kiln@1.0.0 build',
        'Collecting glazes ...',
        '[TypeError: heat is not a function]',
        '> Build error occurred',
        'Error: Command "build" exited with 1',
      ],
      'TypeError: heat is not a function',
    ],
    [
      ['Failed to compile.', '', '⨯ ReferenceError: probe is not defined', '    at fire (kiln.js:3:1)'],
      '⨯ ReferenceError: probe is not defined',
    ],
    [
      ['error during build:', "[vite]: Rollup failed to resolve import 'glaze' from 'kiln.ts'."],
      "[vite]: Rollup failed to resolve import 'glaze' from 'kiln.ts'.",
    ],
    [
      [
        'FAILURE: Build failed with an exception.',
        '* What went wrong:',
        '12:00:01 [kiln] caused by: glaze.HeatException: 1300 is too hot',
      ],
      '12:00:01 [kiln] caused by: glaze.HeatException: 1300 is too hot',
    ],
    [
      ['Build failed because of webpack errors', 'Type error: Property heat does not exist on type Kiln.'],
      'Type error: Property heat does not exist on type Kiln.',
    ],
    [
      ['kiln_test.go:12: kiln successfully heated', '--- FAIL: TestKiln (0.01s)'],
      '--- FAIL: TestKiln (0.01s)',
    ],
    [
      ['kiln_test.go:20: fire() error = no probe: exit status 128', '--- FAIL: TestKiln (0.01s)'],
      'kiln_test.go:20: fire() error = no probe: exit status 128',
    ],
    [['> Build error occurred', 'done in 3 s'], '> Build error occurred'],
    [
      [
        'FAILURE: Build failed with an exception.',
        "Execution failed for task ':kiln:compileJava'.",
        '> Compilation failed; see the compiler error output for details.',
      ],
      "Execution failed for task ':kiln:compileJava'.",
    ],
  ])('finds the error line in %j: %j', (lines, line) => expect(findErrorLine(lines.join('\n'))).toBe(line));
});

describe('position of an error line', () => {
  const errorOf = (...lines: string[]) => findErrorLine(lines.join('\n'));
  const ERROR = "TypeError: Cannot read properties of undefined (reading 'length')";

  it.each([
    ['    at cart (/w/src/cart.js:3:4)', 'src/cart.js:3'],
    ['    at async Promise.all (file:///w/src/cart.mjs:3:4)', 'src/cart.mjs:3'],
    ['    at /w/src/cart.ts:3:4', 'src/cart.ts:3'],
    ['    at cart (C:\\w\\src\\cart.js:3:4)', 'src/cart.js:3'],
    ['      at Object.<anonymous> (src/cart.test.js:3:4)', 'src/cart.test.js:3'],
    [' ❯ src/cart.test.ts:3:4', 'src/cart.test.ts:3'],
    [' ❯ Module.total src/cart.tsx:3:4', 'src/cart.tsx:3'],
  ])('adds the first position of the stack that is in the project: %s', (frame, place) => {
    const library = [
      '    at node:internal/process/task:95:5',
      '    at run (/w/node_modules/vitest/dist/run.js:7:1)',
    ];
    expect(errorOf(ERROR, '', '- 4', '+ 3', '', ...library, frame, '    at main (/w/src/main.js:9:1)')).toBe(
      `${ERROR} (${place})`,
    );
    expect(errorOf('Error: Test timed out in 5000ms.', frame)).toBe(
      `Error: Test timed out in 5000ms. (${place})`,
    );
  });

  it('ignores the stack of another error, the runtime and libraries', () => {
    expect(errorOf(ERROR, 'RangeError: Invalid array length', '    at cart (/w/src/cart.js:3:4)')).toBe(
      ERROR,
    );
    expect(errorOf(ERROR, '    at run (/w/node_modules/vitest/dist/run.js:7:1)')).toBe(ERROR);
    expect(errorOf(ERROR, ' ❯ src/cart.test.ts (3 tests | 1 failed) 12ms')).toBe(ERROR);
  });
});
