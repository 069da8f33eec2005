import { expect, it } from 'vitest';
import { locateJsonc } from './locate-jsonc.js';
import { appendElement, takeOut } from './json-edits.js';

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
  ['[1 /* one */, 2]', 1, '[1 /* one */]'],
  ['[1, // one  \n 2\n]', 1, '[1 // one  \n]'],
  ['[1, // one\n 2 /* two */, // three\n 3]', 1, '[1, // one\n  /* two */ // three\n 3]'],
  ['[1, // to one\n // to two\n 2]', 0, '[// to one\n // to two\n 2]'],
  ['[1, 2, /* to three */ 3]', 1, '[1, /* to three */ 3]'],
  ['[1, // it is // "a, b"\n 2, // c\n]', 1, '[1, // it is // "a, b"\n  // c\n]'],
])('takes out of %j the element %i', (text, index, left) => {
  expect(without(text, index)).toBe(left);
  expect(locateJsonc(left)).toHaveProperty('root');
});

it.each([
  ['[\n  1 // one\n]', '[\n  1, // one\n  9\n]'],
  ['[\n  1, // one  \n]', '[\n  1, // one  \n  9,\n]'],
  [
    '[\n  1 /* one */ , // and one\n  // at the end\n]',
    '[\n  1 /* one */ , // and one\n  9,\n  // at the end\n]',
  ],
  ['[1 /* one */]', '[1, /* one */ 9]'],
  ['[1 // one\n]', '[1, // one\n  9\n]'],
  ['[1 // one\r\n]', '[1, // one\r\n  9\r\n]'],
  ['[\n  1 /* one\n  of two */ // and\n]', '[\n  1, /* one\n  of two */ // and\n  9\n]'],
])('adds to %j behind the remarks on the last element, and takes out again', (text, after) => {
  const located = locateJsonc(text);
  if ('problem' in located || located.root.kind !== 'array') throw new Error(text);
  const added = appendElement(text, located.root, () => '9');
  expect(added).toBe(after);
  expect(without(added, 1)).toBe(text);
});
