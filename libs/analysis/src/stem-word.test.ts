import { expect, it } from 'vitest';
import { stemWord } from './stem-word.js';

it.each([
  ['connections', 'connect'],
  ['caching', 'cach'],
  ['internationalization', 'internation'],
  ['is', 'is'],
  ['utf8', 'utf8'],
  ['größe', 'größe'],
  ['', ''],
])('%s is found as %s', (word, stem) => {
  expect(stemWord(word)).toBe(stem);
  expect(stemWord(word)).toBe(stem);
});

it('gives the same when more words were seen than it remembers', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  for (let number = 0; number < 25_000; number += 1)
    stemWord(
      Array.from(String(number), (digit) => letters[Number(digit)])
        .join('')
        .padStart(6, 'k'),
    );
  expect(stemWord('connections')).toBe('connect');
});
