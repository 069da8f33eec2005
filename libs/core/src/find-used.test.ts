import { describe, expect, it } from 'vitest';
import { findUsed } from './find-used.js';

const used = { files: ['apps/shop/src/cart.ts'], identifiers: ['readLimit'] };
const find = (files: string[], identifiers: string[] = []) => findUsed({ files, identifiers }, used);

describe('findUsed', () => {
  it('finds a file when its path or the end of its path is named', () => {
    expect(find(['apps/shop/src/cart.ts', 'src/cart.ts', 'cart.ts'])).toEqual([
      'apps/shop/src/cart.ts',
      'src/cart.ts',
      'cart.ts',
    ]);
  });

  it('finds no file when only a part of a name or another folder is named', () => {
    expect(find(['art.ts', 'lib/cart.ts', 'shop', 'apps/shop/src'])).toEqual([]);
  });

  it('finds an identifier only when it is the same', () => {
    expect(find([], ['readLimit', 'readlimit', 'Limit'])).toEqual(['readLimit']);
  });
});
