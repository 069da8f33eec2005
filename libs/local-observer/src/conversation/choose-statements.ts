import { estimateTokens } from '@claude-mem/core';
import { formatStatement } from './format-statement.js';
import type { ReadConversation } from './read-statements.js';
import type { Statement } from './statement.js';
import { shareIn, termsOf } from './terms.js';

export interface ChooseOptions {
  /** Terms of the prompt with their weights: 0 to 1. */
  asked: ReadonlyMap<string, number>;
  /** Most tokens of all texts together. */
  tokens: number;
}

/** Minimum score of a candidate. Sentences with a lower score only narrate or ask for work. */
const LEAST = -1;

/** A conversation without such a sentence decided nothing, so no sentence of the agent is chosen either. */
const isDefinite = ({ origin, score, turn }: Statement): boolean =>
  origin !== 'agent' && score >= (turn === 0 ? 1 : 0.5);

/** Tokens for the mark and the line break around each text. */
const AROUND = 3;
/** Least share of terms that no chosen sentence contains. */
const LEAST_NEW = 0.2;

/**
 * Chooses statements within a token limit. Prefers the last recap, then statements that have a high score, new terms and terms of the
 * prompt.
 * @returns the statements in the order of the conversation
 */
export function chooseStatements(
  { statements }: Pick<ReadConversation, 'statements'>,
  { asked, tokens }: ChooseOptions,
): Statement[] {
  const candidates = statements
    .filter(({ score }) => score >= LEAST)
    .map((statement) => ({
      statement,
      terms: termsOf(statement.text),
      cost: estimateTokens(formatStatement(statement)) + AROUND,
    }));
  if (!statements.some(isDefinite)) return [];
  const covered = new Set<string>();
  const chosen: Statement[] = [];
  let left = tokens;
  const valueOf = ({ statement, terms, cost }: (typeof candidates)[number]): number => {
    const fresh = 1 - shareIn(terms, covered);
    if (cost > left || (fresh < LEAST_NEW && statement.question === null)) return 0;
    let near = 0;
    for (const term of terms) near += asked.get(term) ?? 0;
    const recap = statement.role === 'recap' && statement.turn === lastRecap ? 1.5 : 1;
    return (Math.max(statement.score, 0.5) + near / 2) * fresh * recap * (terms.size / (cost + 10));
  };
  const lastRecap = Math.max(
    -1,
    ...statements.filter(({ role }) => role === 'recap').map(({ turn }) => turn),
  );
  for (;;) {
    const best = candidates
      .filter(({ statement }) => !chosen.includes(statement))
      .map((candidate) => ({ candidate, value: valueOf(candidate) }))
      .reduce((top, one) => (one.value > top.value ? one : top), { candidate: candidates[0], value: 0 });
    if (best.candidate === undefined || best.value === 0) break;
    chosen.push(best.candidate.statement);
    left -= best.candidate.cost;
    for (const term of best.candidate.terms) covered.add(term);
  }
  return chosen.sort((a, b) => statements.indexOf(a) - statements.indexOf(b));
}
