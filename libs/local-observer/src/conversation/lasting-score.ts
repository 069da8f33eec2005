import {
  AMENDS,
  BINDS,
  CONSTRAINS,
  CONTRASTS,
  DECIDES,
  EXPLAINS,
  HEDGES,
  IS_LOCAL,
  LIMITS,
  NAMES_COMMIT,
  NARRATES,
  OBLIGES,
  PREFERS,
  REQUESTS,
} from './cues.js';
import { withoutQuotes } from './dialogue-act.js';

/** Returns true when a sentence states a constraint and neither narrates nor guesses. */
export function constrains(sentence: string): boolean {
  const text = withoutQuotes(sentence);
  const isRule = LIMITS.test(text) || BINDS.test(text) || PREFERS.test(text) || DECIDES.test(text);
  return (isRule || CONSTRAINS.test(text)) && isStated(sentence);
}

/** Returns true when a sentence neither narrates nor guesses, and applies to more than one commit. */
export function isStated(sentence: string): boolean {
  const text = withoutQuotes(sentence);
  return !(NARRATES.test(text) || HEDGES.test(text) || NAMES_COMMIT.test(text) || IS_LOCAL.test(text));
}

/**
 * Returns true when a sentence is a rule of the user: "must", "we use", "Always do", "tabs, never spaces". A report
 * such as "they always do" is not a rule.
 */
export function isOwnRule(sentence: string): boolean {
  const text = withoutQuotes(sentence);
  const clauses = text.split(/[,;:，；：]\s*/);
  return (
    OBLIGES.test(text) || PREFERS.test(text) || clauses.some((clause) => BINDS.exec(clause)?.index === 0)
  );
}

/** Returns a score for how clearly a sentence applies beyond the current task. */
export function lastingScore(sentence: string): number {
  const text = withoutQuotes(sentence);
  const request = !REQUESTS.test(text) || AMENDS.test(text) ? 0 : CONSTRAINS.test(text) ? -0.5 : -2;
  return WEIGHTS.reduce((score, [cue, weight]) => (cue.test(text) ? score + weight : score), request);
}

const WEIGHTS: readonly (readonly [RegExp, number])[] = [
  [DECIDES, 2.5],
  [PREFERS, 2.5],
  [BINDS, 2],
  [AMENDS, 1],
  [EXPLAINS, 1],
  [LIMITS, 0.5],
  [CONTRASTS, 0.5],
  [IS_LOCAL, -1],
  [HEDGES, -1.5],
  [NARRATES, -2],
  [NAMES_COMMIT, -2],
];
