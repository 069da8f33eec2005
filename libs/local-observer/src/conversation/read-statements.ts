import type { ConversationTurn } from '@claude-mem/core';
import type { Steps } from '@claude-mem/evidence';
import { acceptedProposals, acceptedRule, asksForConsent, isPlainConsent } from './accepted-proposals.js';
import { AMENDS, REPLACES } from './cues.js';
import { dialogueAct, isQuestion, openQuestion, withoutQuotes } from './dialogue-act.js';
import { formatStatement } from './format-statement.js';
import {
  MAX_TEXT_LENGTH,
  sentencesOf,
  readAgentSentences,
  readUserSentences,
  type Paragraph,
} from './own-sentences.js';
import { readNumberedAnswers, readPickedOption } from '../read-picked-option.js';
import { addsClause, listRestatements } from '../list-restatements.js';
import { readAgentResponse } from '../read-agent-response.js';
import { STRONG, type Statement } from './statement.js';
import { readUserStatements } from '../read-user-statements.js';
import { PROMISE_TO_REMEMBER } from '../text/lexicon.js';
import { getShare, extractTerms } from './terms.js';

export interface ReadConversation {
  /** Statements in the order of the conversation. */
  statements: readonly Statement[];
  /** True when the user states more often than asks. Only such a conversation can decide something. */
  isDialogue: boolean;
  /** True when the user answered or corrected the agent at least once. */
  hasReplies: boolean;
  /** True when a question of the agent was answered, restated and accepted. */
  isClosed: boolean;
  /** True when the conversation sets or changes a rule. */
  amends: boolean;
  /** True when the conversation names a rule of an earlier conversation and replaces it. */
  replaces: boolean;
}

/**
 * Number of turns that a sentence of the agent may restate. In a long session, nearly every word occurs in some earlier
 * turn.
 */
const RECENT_TURNS = 8;

/** Number of turns between a list of options and the choice. The user can ask questions in between. */
const MAX_OPTION_TURNS = 3;

const isDefinite = ({ score }: Statement): boolean => score >= 0.5;

const unionOf = (sets: readonly ReadonlySet<string>[]): Set<string> =>
  new Set(sets.flatMap((terms) => [...terms]));

/** Finds the decisions in a conversation. Each text is a sentence of the conversation. Yields after each turn. */
export function* statementSteps(conversation: readonly ConversationTurn[]): Steps<ReadConversation> {
  let statements: Statement[] = [];
  const userTerms: Set<string>[] = [];
  const agentTerms: Set<string>[] = [];
  const counts = { stated: 0, asked: 0, replies: 0 };
  let before: readonly Paragraph[] = [];
  let lastReply = '';
  let answeredAt = -Infinity;
  let isClosed = false;
  let amends = false;
  let replaces = false;

  /** A question, its answer, a restatement and an acceptance form a decision in any language. */
  const close = (answer: number) => {
    isClosed = true;
    for (const statement of statements)
      if (statement.turn === answer && statement.question !== null) statement.score += 1.5;
  };

  for (const [turn, { prompt, reply }] of conversation.entries()) {
    yield;
    const own = readUserSentences(prompt);
    const after = reply === null ? [] : readAgentSentences(reply);
    const act = dialogueAct(own, before);
    const isLast = turn === conversation.length - 1;
    const response = readAgentResponse(after, act.answers !== null || act.corrects);
    const isConsent = act.accepts && !act.corrects && isPlainConsent(own, before);
    amends ||= act.amends;
    replaces ||= act.replaces;
    if (act.asks) counts.asked += 1;
    else if ((turn > 0 || response.isPositive) && own.length > 0 && !act.requests) counts.stated += 1;
    if (act.corrects || (act.answers !== null && !act.asks)) counts.replies += 1;

    // A corrected message contained only the view of the agent.
    if (act.corrects && !act.accepts && !act.declines)
      statements = statements.filter(({ origin, role, turn: at }) =>
        origin === 'user'
          ? !act.retracts || at !== turn - 1
          : at !== turn - 1 && !(role === 'proposal' && at === turn - 2),
      );
    if (act.accepts && !act.corrects) {
      if (openQuestion(before) === null && turn - answeredAt <= 2) close(answeredAt);
      const messageTerms = unionOf(userTerms.slice(-RECENT_TURNS));
      const isAboutAll = isConsent && asksForConsent(before);
      for (const statement of statements)
        if (
          statement.turn === turn - 1 &&
          statement.origin !== 'user' &&
          (isAboutAll || !addsClause(statement.text, messageTerms))
        ) {
          statement.origin = 'agreed';
          statement.score += 1;
        }
    }
    if (act.answers !== null || act.corrects) answeredAt = turn;

    const earlier = conversation.slice(Math.max(0, turn - MAX_OPTION_TURNS), turn).map((one) => one.reply);
    const proposals = act.accepts ? acceptedProposals(before, turn - 1) : [];
    const option =
      readPickedOption(sentencesOf(own).join(' '), earlier.reverse()) ??
      (act.corrects && proposals.length > 0 && sentencesOf(own).length === 1
        ? proposals.map(({ text }) => text).join(' ')
        : null);
    const terms = extractTerms((reply ?? '').slice(0, MAX_TEXT_LENGTH));
    const answers = readNumberedAnswers(prompt, lastReply);
    const stated =
      answers.length > 0
        ? answers.map((one): Statement => ({ ...one, origin: 'user', turn, score: STRONG, role: 'proposal' }))
        : readUserStatements(own, { turn, act, replied: terms, follows: response.follows, option });
    if (act.amends || act.corrects) statements = withoutChanged(statements, stated);
    if (isConsent)
      statements.push(...proposals, ...acceptedRule(act.answers, sentencesOf(own).join(' '), turn));
    statements.push(...stated);
    userTerms.push(extractTerms([act.answers ?? '', ...sentencesOf(own)].join('\n')));
    const recent = unionOf(userTerms.slice(-RECENT_TURNS));
    const shared = unionOf([recent, ...agentTerms.slice(-RECENT_TURNS)]);
    // After consent or a question, the agent reports or explains, so only a recap counts.
    const isStating =
      act.answers !== null || act.corrects || (!act.accepts && (act.amends || stated.some(isDefinite)));
    const restated = listRestatements(after, { recent, shared, turn, isLast, onlyRecaps: !isStating });
    if (isLast && answeredAt === turn && restated.length > 0) close(turn);
    const recaps = restated.filter(({ role }) => role === 'recap').map(({ text }) => withoutQuotes(text));
    amends ||= recaps.some((text) => AMENDS.test(text));
    replaces ||= recaps.some((text) => REPLACES.test(text));
    statements.push(
      ...restated,
      ...(stated.some(isDefinite) ? followUps(after, { turn, known: restated }) : []),
    );
    agentTerms.push(terms);
    // A second message before any reply still answers the last message of the agent.
    if (reply !== null) {
      before = after;
      lastReply = reply;
    }
  }
  return {
    statements,
    isDialogue: counts.stated > counts.asked,
    hasReplies: counts.replies > 0,
    isClosed,
    amends,
    replaces,
  };
}

/** Minimum share of the terms of an earlier sentence that a new sentence must repeat to replace it. */
const MIN_REPEATED_SHARE = 0.6;

function withoutChanged(statements: readonly Statement[], changed: readonly Statement[]): Statement[] {
  const terms = changed.map(({ text }) => extractTerms(text));
  return statements.filter((statement) => {
    const old = extractTerms(formatStatement(statement));
    return old.size < 3 || !terms.some((one) => getShare(old, one) >= MIN_REPEATED_SHARE);
  });
}

/** Number of sentences at the start of a reply that show how the agent understood the user. */
const MAX_FOLLOW_UPS = 3;

function followUps(
  after: readonly Paragraph[],
  { turn, known }: { turn: number; known: readonly Statement[] },
): Statement[] {
  return sentencesOf(after)
    .slice(0, MAX_FOLLOW_UPS)
    .filter(
      (text) =>
        !isQuestion(text) &&
        !PROMISE_TO_REMEMBER.test(text) &&
        extractTerms(text).size >= 3 &&
        !known.some((one) => one.text === text),
    )
    .map((text) => ({ text, origin: 'agent', turn, score: 0, question: null, role: 'statement' }));
}
