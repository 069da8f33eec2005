import type { UserChoice } from '@claude-mem/evidence';
import { isProcedural } from './is-procedural.js';
import { CAUSE } from './text/lexicon.js';
import type { Turn } from './turn.js';

/**
 * Choices of the user that settle a question about the project, or the sentence of the agent that reports a decision,
 * or both.
 */
export interface Decision {
  choices: readonly UserChoice[];
  sentence: string | null;
}

/**
 * Returns the decisions of a turn that also changed files. Returns null when the turn decided nothing or changed no
 * file.
 */
export function readDecision({ evidence, claims }: Pick<Turn, 'evidence' | 'claims'>): Decision | null {
  if (evidence.changes.length === 0) return null;
  const decided = claims.flatMap(({ decision }) => decision ?? []);
  const reasoned = decided.find((text) => CAUSE.test(text));
  const sentence = reasoned ?? decided[0] ?? null;
  const choices = evidence.choices.filter(
    ({ question, rejected }) => !isProcedural(question) && (rejected.length > 0 || sentence !== null),
  );
  return choices.length === 0 && reasoned === undefined ? null : { choices, sentence };
}
