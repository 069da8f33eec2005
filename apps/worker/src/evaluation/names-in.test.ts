import { describe, expect, it } from 'vitest';
import { namesIn, recordLinesIn } from './names-in.js';

describe('namesIn', () => {
  it('finds file names and identifiers, and ignores plain words and versions', () => {
    const text = 'Run `npm test`; `main` at 16:30 in ./src/cart.ts calls readLimit() of `CartTotal`, v2.1.0.';
    expect(namesIn(text)).toEqual({ files: ['src/cart.ts'], identifiers: ['CartTotal', 'readLimit'] });
  });

  it('finds the names in a command, but not the command itself', () => {
    expect(namesIn('`npx vitest run src/cart.test.ts --coverage -t readLimit`')).toEqual({
      files: ['src/cart.test.ts'],
      identifiers: ['--coverage', 'readLimit'],
    });
  });

  it('finds names at every position in a long text', () => {
    for (let length = 3_900; length < 4_100; length += 20) {
      const { files, identifiers } = namesIn(
        `${'word '.repeat(length / 5)}src/cart.ts readLimit() ${'x '.repeat(9_000)}`,
      );
      expect(files).toContain('src/cart.ts');
      expect(identifiers).toContain('readLimit');
    }
  });

  it('returns the paths of the records when a text names a file without its folder', () => {
    const record = { filesModified: ['apps/shop/cart.ts'], filesRead: ['libs/cart.ts', 'libs/chart.ts'] };
    expect(namesIn('cart.ts and total.ts', [record]).files).toEqual([
      'apps/shop/cart.ts',
      'libs/cart.ts',
      'total.ts',
    ]);
  });
});

describe('recordLinesIn', () => {
  it('returns only the lines with stored text', () => {
    const injected = [
      '<claude-mem-context>',
      "From claude-mem's memory of demo.ts. Dates: UTC.",
      'Decided in an earlier conversation (#3, today):',
      '- User: use `readLimit()`',
      '| #12 | today | 🐛 | title | ~45 |',
      '  "a detail"',
      'Complete record: `/home/u/bin/claude-mem show ID`.',
      '</claude-mem-context>',
    ];
    expect(recordLinesIn(injected.join('\n')).split('\n')).toEqual(injected.slice(3, 6));
  });
});
