import { describe, expect, it } from 'vitest';
import { errorLineIn } from './error-line.js';

describe('the error line of a log', () => {
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
  ])('of %j is %j', (lines, line) => expect(errorLineIn(lines.join('\n'))).toBe(line));
});
