import { expect, it } from 'vitest';
import { createTokenizer } from './create-tokenizer.js';

const marks = Array.from({ length: 6 }, (_, index) => [`<${index}>`, 0] as const);
const pieces = ['▁', 'a', 'b', 'ab', '▁ab', 'abab', 'fi'];
const scores = [-3, -2, -2, -3, -4, -8, -5];
const tokenizer = createTokenizer([
  ...marks,
  ...pieces.map((piece, index) => [piece, scores[index]!] as const),
]);
const read = (text: string, limit = 10) =>
  tokenizer.encode(text, limit).map((id) => (id === 0 ? '?' : pieces[id - 6]));

it('takes the split with the best sum of scores', () => {
  expect(read('ab')).toEqual(['▁ab']);
  expect(read('abab')).toEqual(['▁ab', 'ab']);
  expect(read('ba')).toEqual(['▁', 'b', 'a']);
});

it('white space of any kind parts words; none at the ends counts', () => {
  expect(read('  ab \n\t ab ')).toEqual(['▁ab', '▁ab']);
  expect(read(' \n ')).toEqual([]);
  expect(read('')).toEqual([]);
});

it('neighbouring unknown characters are one piece', () => {
  expect(read('a修复🎉b')).toEqual(['▁', 'a', '?', 'b']);
  expect(read('\ud83d')).toEqual(['▁', '?']);
});

it('brings compatible characters into one form', () => {
  expect(read('ﬁ')).toEqual(['▁', 'fi']);
});

it('never reads a mark of the model in a text', () => {
  expect(read('<1>')).toEqual(['▁', '?']);
});

it('stops at the limit, however long the text is', () => {
  expect(read('ab '.repeat(3_000_000), 3)).toEqual(['▁ab', '▁ab', '▁ab']);
  expect(read('\ufdfa'.repeat(3_000_000), 3)).toEqual(['▁', '?', '▁']);
});
