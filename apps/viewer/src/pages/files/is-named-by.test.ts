import { describe, expect, it } from 'vitest';
import { isNamedBy } from './is-named-by.js';

describe('isNamedBy', () => {
  it.each([
    ['src/time.ts', 'src/time.ts', true],
    ['src/time.ts', 'time.ts', true],
    ['src/uptime.ts', 'time.ts', false],
    ['src/api/router.ts', 'src/api/', true],
    ['src/api/router.ts', 'api/', true],
    ['src/api/router.ts', 'src/api', false],
    ['src/api/router.ts', 'pi/', false],
  ])('compares the path %s with the name %s and returns %s', (path, name, expected) => {
    expect(isNamedBy(path, name)).toBe(expected);
  });
});
