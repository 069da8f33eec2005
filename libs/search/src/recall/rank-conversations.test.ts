import type { UserPrompt } from '@claude-mem/core';
import { expect, it } from 'vitest';
import type { MatchedWord } from '@claude-mem/lexical-index';
import type { SearchHit } from '../memory.js';
import { CONVERSATION_STRENGTH, rankConversations } from './rank-conversations.js';

const word = (term: string, more: Partial<MatchedWord> = {}): MatchedWord => ({
  term,
  share: 0.2,
  rareness: 0.8,
  concentration: 1,
  ...more,
});
const hit = (sessionId: number, words: MatchedWord[]) =>
  ({ item: { sessionId }, evidence: { words } }) as unknown as SearchHit<UserPrompt>;
const rank = (hits: SearchHit<UserPrompt>[], currentOf = (id: number) => id) =>
  rankConversations(hits, currentOf).map(({ sessionId, strength }) => ({
    sessionId,
    isEnough: strength >= CONVERSATION_STRENGTH,
  }));

it('ranks the conversation first that contains most words of the prompt', () => {
  const weak = [word('depot', { share: 0.05 }), word('ferry', { share: 0.05 })];
  const strong = [word('cutoff'), word('harbour')];
  expect(rank([hit(1, weak), hit(2, strong)])).toEqual([
    { sessionId: 2, isEnough: true },
    { sessionId: 1, isEnough: false },
  ]);
});

it('omits a conversation when it shares only one specific word with the prompt', () => {
  const talk = word('today', { concentration: 0.02 });
  expect(rank([hit(1, [word('cutoff'), talk])])).toEqual([]);
});

it('counts a word when some records of other sessions contain it too', () => {
  const shared = { concentration: 0.22 };
  const words = [word('cutoff', shared), word('harbour', shared)];
  expect(rank([hit(1, words)])).toEqual([{ sessionId: 1, isEnough: false }]);
});

it('adds the words of a superseded conversation to its successor', () => {
  const half = { concentration: 0.5 };
  const words = [word('cutoff', half), word('harbour', half)];
  expect(rank([hit(1, words), hit(2, words)], () => 2)).toEqual([{ sessionId: 2, isEnough: true }]);
});

it('counts subject words that many sessions use, but not everyday words', () => {
  const used = { share: 0.3, rareness: 0.5, concentration: 0.1 };
  expect(rank([hit(1, [word('cutoff', used), word('harbour', used)])])).toEqual([
    { sessionId: 1, isEnough: true },
  ]);
  const everyday = [word('change', used), word('file', used)];
  expect(rank([hit(1, everyday)])).toEqual([]);
});
