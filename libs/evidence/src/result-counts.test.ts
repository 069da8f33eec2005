import { expect, it } from 'vitest';
import { readCounts, reportsFailure } from './result-counts.js';

it.each([
  ['\n Tests  2 failed | 10 passed (12)\n', '2 failed, 10 tests passed'],
  ['Tests:       1 skipped, 4 passed, 5 total\r\n', '4 tests passed, 1 skipped'],
  ['\n 3 pass\n 1 fail\n', '1 failed, 3 tests passed'],
  ['=== 7 passed in 0.1s ===', '7 tests passed'],
  ['  5 passing (3s)\n  1 failing\n', '1 failed, 5 tests passed'],
  ['    --- FAIL: TestCart (0.00s)', '1 failed: TestCart'],
])('reads the test counts from the output %j', (output, counts) => {
  expect(readCounts(output)).toBe(counts);
});

it('reads only the total of a test run when lines of the output are missing', () => {
  const lines = 'ok  \tshop/cart\t0.1s\nok  \tshop/tax\t0.1s';
  expect(readCounts(lines)).toBe('2 packages ok');
  expect(readCounts(lines, { isPartial: true })).toBeNull();
  expect(readCounts('=== 7 passed in 0.1s ===', { isPartial: true })).toBe('7 tests passed');
});

it.each([
  ['of digits after blanks', `Tests${' '.repeat(10_000)}${'1'.repeat(10_000)}`],
  ['of blank lines', '\n'.repeat(1_000_000)],
  ['of equals signs', '='.repeat(1_000_000)],
])('S07: reads the test counts from an output %s in linear time', (_, output) => {
  expect(readCounts(output)).toBeNull();
  expect(reportsFailure(output)).toBe(false);
});
