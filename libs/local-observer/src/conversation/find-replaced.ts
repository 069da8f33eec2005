import type { Observation, ObservationDraft } from '@claude-mem/core';
import { AMENDS, NEGATES, RECAPS } from './cues.js';
import { clausesOf } from '../list-restatements.js';
import { getShare, extractTerms } from './terms.js';

/**
 * Minimum cosine of the terms of two records about the same subject. Measured on 2026-11-30: pairs about one of 17
 * subjects had at least 0.32, all other pairs among 140 conversations at most 0.19.
 */
const MIN_COSINE = 0.25;
/** Minimum share of the terms of a rule that its replacement repeats. */
const MIN_REPEATED_SHARE = 0.4;
/** Minimum number of shared terms. Short sentences can share a large part of their terms by chance. */
const MIN_SHARED_TERMS = 6;

/**
 * Returns the ids of the earlier records that this conversation replaces.
 * A conversation that changes a rule replaces a record when it repeats or changes more than half of the record's rules.
 * Other records remain, because their other rules would be lost.
 */
export function findReplaced(record: ObservationDraft, earlier: readonly Observation[]): number[] {
  const terms = extractTerms(textOf(record));
  const stated = extractTerms(factsOf(record).join('\n'));
  return earlier
    .filter((one) => {
      const other = extractTerms(textOf(one));
      const shared = getShare(terms, other) * terms.size;
      const rules = one.facts.filter(({ origin }) => origin !== 'agent');
      return (
        shared >= MIN_SHARED_TERMS &&
        shared / Math.sqrt(terms.size * other.size) >= MIN_COSINE &&
        rules.filter(({ text }) => getShare(extractTerms(text), stated) >= MIN_REPEATED_SHARE).length >
          rules.length / 2 &&
        differs(factsOf(record), factsOf(one))
      );
    })
    .map(({ id }) => id);
}

/** Returns true when facts contain a statement that earlier facts did not contain. */
function differs(facts: readonly string[], earlier: readonly string[]): boolean {
  const known = extractTerms(earlier.join('\n'));
  const rules = facts.flatMap(clausesOf).filter((text) => !AMENDS.test(text) && !RECAPS.test(text));
  return (
    getShare(extractTerms(rules.join('\n')), known) < 1 ||
    rules.some((text) => NEGATES.test(text)) !== earlier.some((text) => NEGATES.test(text))
  );
}

const factsOf = ({ facts }: ObservationDraft): string[] => facts.map(({ text }) => text);

const textOf = ({ title, narrative, facts }: ObservationDraft): string =>
  [title, narrative, ...facts.map(({ text }) => text)].filter((text) => text !== null).join('\n');
