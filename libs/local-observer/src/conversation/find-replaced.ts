import type { Observation, ObservationDraft } from '@claude-mem/core';
import { AMENDS, NEGATES, RECAPS } from './cues.js';
import { clausesOf } from './restatements.js';
import { shareIn, termsOf } from './terms.js';

/**
 * Two records are on one subject when their terms have this cosine. Pairs of records on one subject had 0.32 and more, all others at most
 * 0.19 (2026-11-30, 17 subjects among 140 other conversations).
 */
const SAME_SUBJECT = 0.25;
/** Minimum share of the terms of a rule that the rule in its place repeats. */
const REPEATED = 0.4;
/** Short sentences share such a share of their terms by chance. */
const LEAST_SHARED = 6;

/**
 * Ids of the earlier records that a conversation which changes a rule replaces as a whole: it repeats or changes more than half of their
 * rules. The other sentences of a record are mostly reasons. A record of which a smaller part is changed stays, because its other rules
 * would be lost.
 */
export function findReplaced(record: ObservationDraft, earlier: readonly Observation[]): number[] {
  const terms = termsOf(textOf(record));
  const stated = termsOf(factsOf(record).join('\n'));
  return earlier
    .filter((one) => {
      const other = termsOf(textOf(one));
      const shared = shareIn(terms, other) * terms.size;
      const rules = one.facts.filter(({ origin }) => origin !== 'agent');
      return (
        shared >= LEAST_SHARED &&
        shared / Math.sqrt(terms.size * other.size) >= SAME_SUBJECT &&
        rules.filter(({ text }) => shareIn(termsOf(text), stated) >= REPEATED).length > rules.length / 2 &&
        differs(factsOf(record), factsOf(one))
      );
    })
    .map(({ id }) => id);
}

/** Whether facts state something that earlier facts did not. */
function differs(facts: readonly string[], earlier: readonly string[]): boolean {
  const known = termsOf(earlier.join('\n'));
  const rules = facts.flatMap(clausesOf).filter((text) => !AMENDS.test(text) && !RECAPS.test(text));
  return (
    shareIn(termsOf(rules.join('\n')), known) < 1 ||
    rules.some((text) => NEGATES.test(text)) !== earlier.some((text) => NEGATES.test(text))
  );
}

const factsOf = ({ facts }: ObservationDraft): string[] => facts.map(({ text }) => text);

const textOf = ({ title, narrative, facts }: ObservationDraft): string =>
  [title, narrative, ...facts.map(({ text }) => text)].filter((text) => text !== null).join('\n');
