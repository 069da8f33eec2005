import type { ReadConversation } from './read-statements.js';
import { STRONG, type Statement } from './statement.js';

/** Most facts of one record. */
const MOST_FACTS = 12;
/** Minimum score of a firm sentence of the user. One firm sentence can be an argument, so two are required. */
const FIRM = 4;
const LEAST_FIRM = 2;
/** Minimum sum of the scores of clear directives. */
const DIRECTED = 1.5;
/** Minimum scores of the sentences in a record. */
const LEAST = { user: 1, directive: 0.5, agent: 2 };

/**
 * The statements that make a visible record. Empty when the conversation decided nothing: a few strong words are not enough in a
 * conversation that mostly asks.
 */
export function recordedStatements({
  statements,
  isDialogue,
  hasReplies,
  isClosed,
  amends,
}: ReadConversation): readonly Statement[] {
  const isUsers = ({ origin, role }: Statement) => origin === 'user' || role === 'proposal';
  const strong = statements.filter((one) => isUsers(one) && one.score >= STRONG);
  const firm = strong.filter(({ role, score }) => role !== 'proposal' && score >= FIRM);
  const hasProposal = strong.some(({ role }) => role === 'proposal');
  const hasRecap = statements.some(({ role }) => role === 'recap');
  const isDirected =
    statements
      .filter(({ role, score }) => role === 'directive' && score >= LEAST.user)
      .reduce((sum, { score }) => sum + score, 0) >= DIRECTED;
  const isDiscussed = (isDialogue || amends) && hasReplies && (strong.length > 0 || hasRecap);
  const decides =
    isDirected || isDiscussed || hasProposal || firm.length >= LEAST_FIRM || (amends && strong.length > 0);
  if (!decides) return [];
  const isSettled = isDirected || strong.length > 1 || isClosed || amends || hasRecap;
  const isKept = ({ origin, role, score, question }: Statement): boolean => {
    if (role === 'proposal') return true;
    if (role === 'directive') return score >= LEAST.directive;
    if (origin !== 'user') return isSettled && score >= LEAST.agent;
    return score >= (isSettled && question === null ? LEAST.user : STRONG);
  };
  const best = statements
    .filter(isKept)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_FACTS);
  return statements.filter((statement) => best.includes(statement));
}
