import type { ConversationTurn, Observation, ObservationDraft } from '@claude-mem/core';
import { shareIn, termsOf } from './terms.js';

/**
 * Two records are on one subject when their terms have this cosine. Pairs of records on one subject had 0.32 and more, all others at most
 * 0.19 (2026-11-30, 17 subjects among 140 other conversations).
 */
const SAME_SUBJECT = 0.25;
/** A conversation replaces a record only if it repeats this share of its terms: the same pairs had 0.47 and more. It changes a part otherwise. */
const REPEATED = 0.4;
/** Short sentences share such a share of their terms by chance. */
const LEAST_SHARED = 6;

/** Ids of the earlier records that a conversation which changes a rule replaces as a whole. */
export function findReplaced(
  record: ObservationDraft,
  conversation: readonly ConversationTurn[],
  earlier: readonly Observation[],
): number[] {
  const terms = termsOf(textOf(record));
  const all = termsOf(conversation.map(({ prompt, reply }) => `${prompt}\n${reply ?? ''}`).join('\n'));
  return earlier
    .filter((one) => {
      const other = termsOf(textOf(one));
      const facts = termsOf(one.facts.map(({ text }) => text).join('\n'));
      const shared = shareIn(terms, other) * terms.size;
      return (
        shared >= LEAST_SHARED &&
        shared / Math.sqrt(terms.size * other.size) >= SAME_SUBJECT &&
        shareIn(facts, all) >= REPEATED
      );
    })
    .map(({ id }) => id);
}

const textOf = ({ title, narrative, facts }: ObservationDraft): string =>
  [title, narrative, ...facts.map(({ text }) => text)].filter((text) => text !== null).join('\n');
