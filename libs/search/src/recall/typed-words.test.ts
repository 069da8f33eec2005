import { wordsOf } from '@claude-mem/lexical-index/analysis';
import { expect, it } from 'vitest';
import { typedWords } from './typed-words.js';

it.each([
  ['Why are the expired vouchers rejected?', 'voucher expire rejecting', ['vouchers', 'expired', 'rejected']],
  ['Look at "src/money.ts", please.', 'money', ['src/money.ts']],
  ['getUserName fails. Getusername fails!', 'user name', ['getUserName']],
  ['割引クーポンの合計', '割引', ['割引']],
  ['nothing of it', 'voucher', []],
])('returns the matching words as typed in %j', (prompt, found, words) => {
  expect(typedWords(prompt, wordsOf(found))).toEqual(words);
});

it('returns each word once, in the order of the terms', () => {
  const terms = [...wordsOf('voucher'), ...wordsOf('cart'), ...wordsOf('vouchers')];
  expect(typedWords('The cart, the Vouchers, the vouchers', terms)).toEqual(['Vouchers', 'cart']);
});
