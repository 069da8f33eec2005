import { describe, expect, it } from 'vitest';
import { observation } from './__fixtures__/memory.js';
import { detailLine, indexLine } from './index-line.js';
import { CODE_EMOJIS } from './type-emojis.js';

describe('indexLine', () => {
  it('B100: says what was saved by hand, however long its title is', () => {
    const line = (source: 'manual' | 'observer') =>
      indexLine(observation(1, { title: 'Cart '.repeat(100), source }), '12:00', CODE_EMOJIS);
    expect(line('manual')).toMatch(/… \(saved by hand\) \| ~\d+ \|$/);
    expect(line('observer')).not.toContain('by hand');
  });
});

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

  it('drops what is part of another one, or of the title, wherever it stands', () => {
    const record = observation(1, {
      title: 'The total of the cart was wrong',
      narrative: 'Tax came twice',
      facts: ['Total of the Cart', 'The tax came twice, in `src/cart.ts`', '`src/cart.ts`'],
      subtitle: 'The tax came twice, in src/cart.ts.',
    });
    expect(detailLine(record)).toBe('  "The tax came twice, in `src/cart.ts`"');
  });

  it('keeps what shares no more than letters with another one', () => {
    const record = observation(1, { title: 'Packages', facts: ['Age', '割引は最後に'] });
    expect(detailLine(record)).toBe('  "Age; 割引は最後に"');
  });

  it('is nothing where only the title is known', () => {
    expect(detailLine(observation(1, { title: 'Cart', facts: ['Cart'] }))).toBeNull();
  });
});
