import { describe, expect, it } from 'vitest';
import { observation } from './__fixtures__/memory.js';
import { detailLine } from './index-line.js';

describe('detailLine', () => {
  it('says once what several fields say', () => {
    const record = observation(1, {
      title: 'Cart',
      narrative: 'The total was wrong; the tax came twice.',
      facts: ['the tax came twice', 'rounded at the end'],
      subtitle: 'rounded at the end.',
    });
    expect(detailLine(record)).toBe('  "The total was wrong; the tax came twice; rounded at the end"');
  });

  it('is nothing where only the title is known', () => {
    expect(detailLine(observation(1, { title: 'Cart', facts: ['Cart'] }))).toBeNull();
  });
});
