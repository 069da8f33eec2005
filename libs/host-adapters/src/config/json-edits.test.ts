import { expect, it } from 'vitest';
import { locateJsonc } from './locate-jsonc.js';
import { takeOut } from './json-edits.js';

function without(text: string, index: number): string {
  const located = locateJsonc(text);
  if ('problem' in located || located.root.kind !== 'array') throw new Error(text);
  return takeOut(text, located.root, index);
}

it.each([
  ['[1, 2, 3]', 1, '[1, 3]'],
  ['[1, 2]', 0, '[2]'],
  ['[ 1 ]', 0, '[ ]'],
  ['[1,]', 0, '[]'],
  ['[\n  1,\n  2,\n]', 1, '[\n  1,\n]'],
  ['[1, // one\n 2]', 1, '[1 // one\n ]'],
  ['[1 /* one */, 2]', 1, '[1 /* one */ ]'],
  ['[1, // to one\n // to two\n 2]', 0, '[// to one\n // to two\n 2]'],
  ['[1, 2, /* to three */ 3]', 1, '[1, /* to three */ 3]'],
  ['[1, // it is // "a, b"\n 2, // c\n]', 1, '[1 // it is // "a, b"\n , // c\n]'],
])('takes out of %j the element %i', (text, index, left) => {
  expect(without(text, index)).toBe(left);
  expect(locateJsonc(left)).toHaveProperty('root');
});
