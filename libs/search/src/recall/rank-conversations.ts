import { EVERYDAY_WORDS } from '@claude-mem/lexical-index/analysis';
import type { UserPrompt } from '@claude-mem/core';
import type { MatchedWord } from '@claude-mem/lexical-index';
import type { SearchHit } from '../memory.js';

/** A conversation and how well its prompts match a prompt. */
export interface RankedConversation {
  /** The session, or the one that it was grouped under. */
  sessionId: number;
  /** From `CONVERSATION_STRENGTH` on, the conversation has the same subject. */
  strength: number;
  /** The words that it shares with the prompt, with their rarity (0 to 1). */
  words: ReadonlyMap<string, number>;
}

/**
 * Of 581 prompts of another project, 12 reach this value. All of the 17 prompts about the subject of one conversation
 * among 160 reach it (2026-11-30).
 */
export const CONVERSATION_STRENGTH = 0.2;
/**
 * A word is discriminative when it is rare and mostly in one conversation. One such word may be a coincidence.
 * Summaries of other sessions can contain the word too: with 0.2, two of 17 prompts find nothing.
 */
const OWN_WORD = 0.15;
const LEAST_OWN_WORDS = 2;
/**
 * A prompt that consists mostly of words of a conversation names its subject, even when many later sessions used the
 * rule and the words are no longer discriminative.
 */
const NAMED_COVERAGE = 0.5;
const RARE = 0.4;

/**
 * Groups hits of `searchUserPrompts` (with `explain`) by conversation, best first. The strength is the share of the
 * prompt that a conversation contains, times the weight of its discriminative words. Excludes conversations with
 * fewer than two such words, unless the prompt consists mostly of their words.
 * @param currentOf the session whose conversation replaced that of a session, or the session itself
 */
export function rankConversations(
  hits: readonly SearchHit<UserPrompt>[],
  currentOf: (sessionId: number) => number,
): RankedConversation[] {
  const sessions = new Map<number, Map<string, MatchedWord>>();
  for (const { item, evidence } of hits) {
    const words = sessions.get(item.sessionId) ?? new Map<string, MatchedWord>();
    for (const word of evidence?.words ?? []) words.set(word.term, word);
    sessions.set(item.sessionId, words);
  }
  const conversations = new Map<number, Map<string, MatchedWord>>();
  for (const [sessionId, words] of sessions) {
    const current = currentOf(sessionId);
    const all = conversations.get(current) ?? new Map<string, MatchedWord>();
    for (const [term, word] of words) {
      const concentration = Math.min(1, word.concentration + (all.get(term)?.concentration ?? 0));
      all.set(term, { ...word, concentration });
    }
    conversations.set(current, all);
  }
  return [...conversations]
    .map(([sessionId, words]) => ({ sessionId, ...strengthOf([...words.values()]) }))
    .filter(({ ownWords, isNamed }) => isNamed || ownWords >= LEAST_OWN_WORDS)
    .map(({ sessionId, strength, words }) => ({ sessionId, strength, words }))
    .sort((left, right) => right.strength - left.strength || right.sessionId - left.sessionId);
}

function strengthOf(words: readonly MatchedWord[]) {
  const own = words.map(({ rareness, concentration }) => rareness * concentration);
  const coverage = words.reduce((sum, { share }) => sum + share, 0);
  const strength = coverage * own.reduce((sum, weight) => sum + weight, 0);
  const names = words.filter(({ term, rareness }) => rareness >= RARE && !EVERYDAY_WORDS.has(term));
  const isNamed = coverage >= NAMED_COVERAGE && names.length >= LEAST_OWN_WORDS;
  return {
    isNamed,
    ownWords: own.filter((weight) => weight >= OWN_WORD).length,
    strength: isNamed ? Math.max(strength, CONVERSATION_STRENGTH) : strength,
    words: new Map(words.map(({ term, rareness }) => [term, rareness])),
  };
}
