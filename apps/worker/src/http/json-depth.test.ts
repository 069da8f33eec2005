import { describe, expect, it } from 'vitest';
import { isDeeperThan } from './json-depth.js';

describe('isDeeperThan', () => {
  it.each([
    ['{"a":[1,{"b":2}]}', 3, false],
    ['{"a":[1,{"b":2}]}', 2, true],
    ['"[[[["', 0, false],
    ['{"a":"\\"[[[["}', 1, false],
    ['[][][][]', 1, false],
  ])('reads %s at depth %i as %s', (text, limit, expected) => {
    expect(isDeeperThan(text, limit)).toBe(expected);
  });

  it('needs no recursion for a hundred thousand levels', () => {
    expect(isDeeperThan('['.repeat(100_000), 99_999)).toBe(true);
    expect(isDeeperThan('['.repeat(100_000), 100_000)).toBe(false);
  });
});
