import type { Observation, ObservationDraft } from '@claude-mem/core';
import { termsOf } from './terms.js';

/**
 * Least cosine of the terms of two records on one subject. Pairs of records on one subject had 0.29 and more, all others at most
 * 0.17 (2026-11-30, 17 subjects among 140 other conversations).
 */
const SAME_SUBJECT = 0.25;

/** Ids of the earlier records that a record which changes a rule replaces. */
export function findReplaced(record: ObservationDraft, earlier: readonly Observation[]): number[] {
  const terms = termsOf(textOf(record));
  return earlier.filter((one) => cosine(terms, termsOf(textOf(one))) >= SAME_SUBJECT).map(({ id }) => id);
}

const textOf = ({ title, narrative, facts }: ObservationDraft): string =>
  [title, narrative, ...facts.map(({ text }) => text)].filter((text) => text !== null).join('\n');

function cosine(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size === 0 || right.size === 0) return 0;
  let shared = 0;
  for (const term of left) if (right.has(term)) shared += 1;
  return shared / Math.sqrt(left.size * right.size);
}
