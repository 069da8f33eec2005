import { bySize, LINEAR_GROWTH, processorTimeGrowth } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import { toComparableText } from './comparable-text.js';

it('removes line numbers, case and spaces from a text before a comparison', () => {
  expect(toComparableText('  1→First line\n\n\t12\tSecond line\r\n 3: third 4')).toBe(
    'firstlinesecondlinethird4',
  );
});

it.each(['\n', '\r\n', '\r', '\u2028', '\n \n', ' ', '\t'])(
  'S07: reads a text of %j in linear time',
  (blank) => {
    const read = (length: number) => toComparableText(blank.repeat(length));
    expect(processorTimeGrowth(read, bySize({ quick: 30_000, full: 200_000 }))).toBeLessThan(LINEAR_GROWTH);
  },
);
