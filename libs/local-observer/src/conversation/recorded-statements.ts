import type { ReadConversation, Statement } from './read-statements.js';
import { STRONG } from './read-statements.js';

/** Most facts of one record. */
const MOST_FACTS = 12;
/** A user's sentence that makes a record in any conversation, also between requests. */
const FIRM = 4;
/** Least scores of sentences beside strong ones. */
const LEAST = { user: 1, directive: 0.5, agent: 2 };

/**
 * The statements that make a visible record. Empty when the conversation decided nothing: a few strong words are not enough in a
 * conversation that mostly asks.
 */
export function recordedStatements(read: ReadConversation): readonly Statement[] {
  const { statements, isDialogue, hasReplies, isClosed, amends } = read;
  const strong = statements.filter(
    ({ origin, score, role }) => (origin === 'user' || role === 'proposal') && score >= STRONG,
  );
  const hasRecap = statements.some(({ role }) => role === 'recap');
  const isDirected = statements.some(({ role, score }) => role === 'directive' && score >= LEAST.user);
  const decides = isDirected || ((isDialogue || amends) && (strong.length > 0 || (hasReplies && hasRecap)));
  if (!decides) {
    const firm = strong.filter(({ role, score }) => role === 'proposal' || score >= FIRM);
    return firm.slice(-MOST_FACTS);
  }
  const isSettled = isDirected || strong.length > 1 || isClosed || amends || hasRecap;
  const isKept = ({ origin, role, score, question }: Statement): boolean => {
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
