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

it('chooses the split with the highest sum of scores', () => {
  expect(read('ab')).toEqual(['▁ab']);
  expect(read('abab')).toEqual(['▁ab', 'ab']);
  expect(read('ba')).toEqual(['▁', 'b', 'a']);
});

it('splits words at white space of any kind and ignores it at both ends', () => {
  expect(read('  ab \n\t ab ')).toEqual(['▁ab', '▁ab']);
  expect(read(' \n ')).toEqual([]);
  expect(read('')).toEqual([]);
});

it('encodes neighbouring unknown characters as one token', () => {
  expect(read('a修复🎉b')).toEqual(['▁', 'a', '?', 'b']);
  expect(read('\ud83d')).toEqual(['▁', '?']);
});

it('normalizes compatible characters', () => {
  expect(read('ﬁ')).toEqual(['▁', 'fi']);
});

it('does not recognize special tokens of the model in a text', () => {
  expect(read('<1>')).toEqual(['▁', '?']);
});

it('stops at the token limit for very long texts', () => {
  expect(read('ab '.repeat(3_000_000), 3)).toEqual(['▁ab', '▁ab', '▁ab']);
  expect(read('\ufdfa'.repeat(3_000_000), 3)).toEqual(['▁', '?', '▁']);
});
