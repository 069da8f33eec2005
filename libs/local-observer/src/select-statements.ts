import type { ReadConversation } from './conversation/read-statements.js';
import { STRONG, type Statement } from './conversation/statement.js';

/** Maximum number of facts in a record. */
const MAX_FACTS = 12;
/** Minimum score of a firm sentence of the user. A single firm sentence can be an argument, so two are required. */
const MIN_FIRM_SCORE = 4;
const MIN_FIRM_SENTENCES = 2;
/** Minimum sum of the scores of clear directives. */
const MIN_DIRECTIVE_SUM = 1.5;
/** Minimum scores of the sentences in a record. */
const MIN_SCORES = { user: 1, directive: 0.5, agent: 2 };

/**
 * Returns the statements for the conversation record. The result is empty when the conversation decided nothing. In a
 * conversation of mostly questions, a few strong words are not sufficient.
 */
export function selectStatements({
  statements,
  isDialogue,
  hasReplies,
  isClosed,
  amends,
}: ReadConversation): readonly Statement[] {
  const isUsers = ({ origin, role }: Statement) => origin === 'user' || role === 'proposal';
  const strong = statements.filter((one) => isUsers(one) && one.score >= STRONG);
  const firm = strong.filter(({ role, score }) => role !== 'proposal' && score >= MIN_FIRM_SCORE);
  const hasProposal = strong.some(({ role }) => role === 'proposal');
  const hasRecap = statements.some(({ role }) => role === 'recap');
  const isDirected =
    statements
      .filter(({ role, score }) => role === 'directive' && score >= MIN_SCORES.user)
      .reduce((sum, { score }) => sum + score, 0) >= MIN_DIRECTIVE_SUM;
  const isDiscussed = (isDialogue || amends) && hasReplies && (strong.length > 0 || hasRecap);
  const decides =
    isDirected ||
    isDiscussed ||
    hasProposal ||
    firm.length >= MIN_FIRM_SENTENCES ||
    (amends && strong.length > 0);
  if (!decides) return [];
  const isSettled = isDirected || strong.length > 1 || isClosed || amends || hasRecap;
  const isKept = ({ origin, role, score, question }: Statement): boolean => {
    if (role === 'proposal') return true;
    if (role === 'directive') return score >= MIN_SCORES.directive;
    if (origin !== 'user') return isSettled && score >= MIN_SCORES.agent;
    return score >= (isSettled && question === null ? MIN_SCORES.user : STRONG);
  };
  const best = statements
    .filter(isKept)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FACTS);
  return statements.filter((statement) => best.includes(statement));
}
