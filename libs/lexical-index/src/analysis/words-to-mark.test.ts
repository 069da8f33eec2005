import { describe, expect, it } from 'vitest';
import { wordsToMark } from './words-to-mark.js';

describe('wordsToMark', () => {
  it('returns the words as they are written in the texts for any form in the query', () => {
    const texts = ['Tokens were Refreshed twice; the token loops', 'nothing here'];
    expect(wordsToMark('token refreshing', texts)).toEqual(['tokens', 'refreshed', 'token']);
  });

  it('omits common words unless the query has no others', () => {
    expect(wordsToMark('the token', ['The token of the day'])).toEqual(['token']);
    expect(wordsToMark('the', ['The token of the day'])).toEqual(['the']);
  });

  it('returns words that start with the last word of the query when prefix is set', () => {
    expect(wordsToMark('tok', ['the token'])).toEqual([]);
    expect(wordsToMark('tok', ['the token'], { prefix: true })).toEqual(['token']);
  });

  it('finds identifiers by their parts, words without accents and pairs of characters', () => {
    expect(wordsToMark('user', ['readUserId(café)'])).toEqual(['readuserid']);
    expect(wordsToMark('cafe', ['readUserId(café)'])).toEqual(['café']);
    expect(wordsToMark('検索', ['全文検索の速度'])).toEqual(['検索']);
  });

  it('limits the number of words and treats special characters as text', () => {
    const words = Array.from({ length: 5_000 }, (_, n) => `token${n}`).join(' ');
    expect(wordsToMark('token', [words])).toHaveLength(200);
    expect(wordsToMark('(.*)+$ [x', ['a(.*)+$ [x<img>'])).toEqual(['x']);
    expect(wordsToMark('', ['anything'])).toEqual([]);
  });
});
