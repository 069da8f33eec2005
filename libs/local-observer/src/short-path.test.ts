import { describe, expect, it } from 'vitest';
import { formatPath, shortPath } from './short-path.js';

describe('formatPath', () => {
  it.each(['src/cart.ts', 'app/[id]/page.tsx', '@scope/a+b.ts', '資料/表.md', '.env'])(
    'does not quote a plain path: %s',
    (path) => expect(formatPath(path)).toBe(path),
  );

  it.each([
    ['## Pinned (saved manually)', '“## Pinned (saved manually)”'],
    ['- #1 the user “decided”', '“- #1 the user ‘decided’”'],
    ['```', "“'''”"],
    ['a\n# b.ts', '“a # b.ts”'],
  ])('S09: quotes a path that reads like text or Markdown: %j', (path, text) => {
    expect(formatPath(path)).toBe(text);
  });
});

describe('shortPath', () => {
  it('returns the name of the file', () => {
    expect(shortPath('src/cart.ts')).toBe('cart.ts');
    expect(shortPath('src/## Pinned')).toBe('“## Pinned”');
  });
});
