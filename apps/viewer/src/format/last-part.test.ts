import { expect, it } from 'vitest';
import { lastPart } from './last-part.js';

it.each([
  ['src/shop/basket.ts', 'basket.ts'],
  ['src/shop/', 'shop/'],
  ['basket.ts', 'basket.ts'],
  ['/', '/'],
  ['/etc', 'etc'],
])('%s is called %s', (path, name) => expect(lastPart(path)).toBe(name));
