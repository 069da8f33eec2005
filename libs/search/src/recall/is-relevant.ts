import type { HitEvidence } from '../memory.js';

/** Words that the prompt and the record share, a part of one for a less rare word. */
const SHARED_WORDS = 2;
/** Least share of the rareness of the prompt's words: among very many words some are shared by chance. */
const COVERAGE = 1 / 8;
/** At least one shared word must name what the session was about: be rare, and stand mostly there. */
const OWN_MATTER = 1 / 4;

/**
 * Whether a record is on the matter of a prompt. All three must hold; they depend on the record and the prompt alone, never on
 * what else was found.
 */
export function isRelevant(evidence: HitEvidence): boolean {
  return shares(evidence, 1) && isOwnMatter(evidence, OWN_MATTER);
}

/** Whether a record tells more of a matter that its session is known to have been on: half as much is enough. */
export function belongsToIt(evidence: HitEvidence): boolean {
  return shares(evidence, 1 / 2);
}

function shares({ words }: HitEvidence, part: number): boolean {
  const sharedWords = words.reduce((sum, { rareness }) => sum + rareness, 0);
  const coverage = words.reduce((sum, { share }) => sum + share, 0);
  return sharedWords >= SHARED_WORDS * part && coverage >= COVERAGE * part;
}

/** Whether a shared word names what the record's session was about: it is rare, and stands mostly there. */
export function isOwnMatter({ words }: HitEvidence, floor: number): boolean {
  return words.some(({ rareness, concentration }) => rareness * concentration >= floor);
}
