import { describe, expect, it } from 'vitest';
import { formatDuration } from './format-duration.js';

describe('formatDuration', () => {
  it.each([
    [0, '0 s'],
    [-5, '0 s'],
    [999, '0 s'],
    [1_000, '1 s'],
    [250_000, '4 min 10 s'],
    [240_000, '4 min'],
    [7_200_000, '2 h'],
    [2 * 86_400_000 + 3 * 3_600_000 + 59_000, '2 d 3 h'],
  ])('formats %i ms as "%s"', (ms, words) => expect(formatDuration(ms)).toBe(words));
});
