import type { HitEvidence } from '../memory.js';

/** Number of words that the prompt and the record share. Less rare words count as a part of one. */
const SHARED_WORDS = 2;
/** Minimum shared part of the prompt's words, by rarity, because long prompts share some words by chance. */
const COVERAGE = 1 / 8;
/** At least one shared word must be discriminative: rare, and mostly in this session. */
const OWN_MATTER = 1 / 4;

/**
 * Checks whether a record is about the subject of a prompt. All three conditions must hold. They depend on the record
 * and the prompt alone, never on other results.
 */
export function isRelevant(evidence: HitEvidence): boolean {
  return shares(evidence, 1) && isOwnMatter(evidence, OWN_MATTER);
}

/** Checks a record of a session that is known to be about the subject. Half of the minimum is enough. */
export function belongsToIt(evidence: HitEvidence): boolean {
  return shares(evidence, 1 / 2);
}

function shares({ words }: HitEvidence, part: number): boolean {
  const sharedWords = words.reduce((sum, { rareness }) => sum + rareness, 0);
  const coverage = words.reduce((sum, { share }) => sum + share, 0);
  return sharedWords >= SHARED_WORDS * part && coverage >= COVERAGE * part;
}

/** Checks whether a shared word is discriminative for the record's session: rare, and mostly in this session. */
export function isOwnMatter({ words }: HitEvidence, floor: number): boolean {
  return words.some(({ rareness, concentration }) => rareness * concentration >= floor);
}
