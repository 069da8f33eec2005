import { describe, expect, it } from 'vitest';
import { isDeeperThan } from './json-depth.js';

describe('isDeeperThan', () => {
  it.each([
    ['{"a":[1,{"b":2}]}', 3, false],
    ['{"a":[1,{"b":2}]}', 2, true],
    ['"[[[["', 0, false],
    ['{"a":"\\"[[[["}', 1, false],
    ['[][][][]', 1, false],
  ])('compares the depth of %s with the limit %i and returns %s', (text, limit, expected) => {
    expect(isDeeperThan(text, limit)).toBe(expected);
  });

  it('handles a hundred thousand levels without recursion', () => {
    expect(isDeeperThan('['.repeat(100_000), 99_999)).toBe(true);
    expect(isDeeperThan('['.repeat(100_000), 100_000)).toBe(false);
  });
});
