import { describe, expect, it } from 'vitest';
import { wordsToMark } from './words-to-mark.js';

describe('wordsToMark', () => {
  it('gives the words as they stand in the texts, whatever form the query has', () => {
    const texts = ['Tokens were Refreshed twice; the token loops', 'nothing here'];
    expect(wordsToMark('token refreshing', texts)).toEqual(['tokens', 'refreshed', 'token']);
  });

  it('marks no common word beside a telling one, and common ones where there is nothing else', () => {
    expect(wordsToMark('the token', ['The token of the day'])).toEqual(['token']);
    expect(wordsToMark('the', ['The token of the day'])).toEqual(['the']);
  });

  it('marks what a word that is being typed begins', () => {
    expect(wordsToMark('tok', ['the token'])).toEqual([]);
    expect(wordsToMark('tok', ['the token'], { prefix: true })).toEqual(['token']);
  });

  it('marks identifiers by their parts, accents aside, and pairs of signs', () => {
    expect(wordsToMark('user', ['readUserId(café)'])).toEqual(['readuserid']);
    expect(wordsToMark('cafe', ['readUserId(café)'])).toEqual(['café']);
    expect(wordsToMark('検索', ['全文検索の速度'])).toEqual(['検索']);
  });

  it('is bounded, and takes hostile texts as texts', () => {
    const words = Array.from({ length: 5_000 }, (_, n) => `token${n}`).join(' ');
    expect(wordsToMark('token', [words])).toHaveLength(200);
    expect(wordsToMark('(.*)+$ [x', ['a(.*)+$ [x<img>'])).toEqual(['x']);
    expect(wordsToMark('', ['anything'])).toEqual([]);
  });
});
