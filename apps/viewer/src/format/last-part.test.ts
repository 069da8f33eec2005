import { expect, it } from 'vitest';
import { lastPart } from './last-part.js';

it.each([
  ['src/shop/basket.ts', 'basket.ts'],
  ['src/shop/', 'shop/'],
  ['basket.ts', 'basket.ts'],
  ['/', '/'],
  ['/etc', 'etc'],
])('shortens the path %s to its last part %s', (path, name) => expect(lastPart(path)).toBe(name));
