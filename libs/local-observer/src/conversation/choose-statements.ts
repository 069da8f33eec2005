import { estimateTokens } from '@claude-mem/core';
import { formatStatement } from './format-statement.js';
import type { ReadConversation } from './read-statements.js';
import type { Statement } from './statement.js';
import { getShare, extractTerms } from './terms.js';

export interface ChooseOptions {
  /** Terms of the prompt with their weights from 0 to 1. */
  promptTerms: ReadonlyMap<string, number>;
  /** Maximum tokens of all texts together. */
  tokens: number;
}

/** Minimum score of a candidate. Sentences with a lower score only narrate or ask for work. */
const MIN_SCORE = 0;

/** A conversation without such a sentence decided nothing, so no sentence of the agent is chosen either. */
const isDefinite = ({ origin, score, turn }: Statement): boolean =>
  origin !== 'agent' && score >= (turn === 0 ? 1 : 0.5);

/** Tokens for the list mark and the line break around each text. */
const MARK_TOKENS = 3;
/** Minimum share of terms that no chosen sentence contains. */
const MIN_NEW_SHARE = 0.2;

/**
 * Chooses statements within a token limit. Prefers the last recap, then statements that have a high score, new terms
 * and terms of the prompt.
 * @returns the statements in the order of the conversation
 */
export function chooseStatements(
  { statements }: Pick<ReadConversation, 'statements'>,
  { promptTerms, tokens }: ChooseOptions,
): Statement[] {
  const candidates = statements
    .filter(({ score }) => score >= MIN_SCORE)
    .map((statement) => ({
      statement,
      terms: extractTerms(statement.text),
      cost: estimateTokens(formatStatement(statement)) + MARK_TOKENS,
    }));
  if (!statements.some(isDefinite)) return [];
  const covered = new Set<string>();
  const chosen: Statement[] = [];
  let remainingTokens = tokens;
  const valueOf = ({ statement, terms, cost }: (typeof candidates)[number]): number => {
    const newTerms = 1 - getShare(terms, covered);
    if (cost > remainingTokens || (newTerms < MIN_NEW_SHARE && statement.question === null)) return 0;
    let near = 0;
    for (const term of terms) near += promptTerms.get(term) ?? 0;
    const recap = statement.role === 'recap' && statement.turn === lastRecap ? 1.5 : 1;
    return (Math.max(statement.score, 0.5) + near / 2) * newTerms * recap * (terms.size / (cost + 10));
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
    remainingTokens -= best.candidate.cost;
    for (const term of best.candidate.terms) covered.add(term);
  }
  return chosen.sort((a, b) => statements.indexOf(a) - statements.indexOf(b));
}
