import type { ConversationTurn } from '@claude-mem/core';
import type { Steps } from '@claude-mem/evidence';
import { acceptedProposals, acceptedRule, asksForConsent, isPlainConsent } from './accepted-proposals.js';
import { AMENDS, REPLACES } from './cues.js';
import { dialogueAct, isQuestion, openQuestion, withoutQuotes } from './dialogue-act.js';
import { formatStatement } from './format-statement.js';
import {
  LONGEST_TEXT,
  sentencesOf,
  sentencesOfAgent,
  sentencesOfUser,
  type Paragraph,
} from './own-sentences.js';
import { numberedAnswers, pickedOption } from './picked-option.js';
import { addsClause, restatements } from './restatements.js';
import { readUptake } from './read-uptake.js';
import { STRONG, type Statement } from './statement.js';
import { statementsOfUser } from './statements-of-user.js';
import { shareIn, termsOf } from './terms.js';

export interface ReadConversation {
  /** In the order of the conversation. */
  statements: readonly Statement[];
  /** The user states more often than asks: a conversation that can decide something. */
  isDialogue: boolean;
  /** The user answered or corrected the agent at least once. */
  hasReplies: boolean;
  /** A question of the agent was answered, restated and accepted. */
  isClosed: boolean;
  /** Sets or changes a rule. */
  amends: boolean;
  /** Names a rule of an earlier conversation and replaces it. */
  replaces: boolean;
}

/** Turns whose words a sentence of the agent may restate. In a long session nearly every word occurred at some time. */
const RECENT_TURNS = 8;

/** Between a list of options and the choice, the user can ask questions. */
const OPTION_TURNS = 3;

const isDefinite = ({ score }: Statement): boolean => score >= 0.5;

const unionOf = (sets: readonly ReadonlySet<string>[]): Set<string> =>
  new Set(sets.flatMap((terms) => [...terms]));

/** Finds what people decided in a conversation. Each text is a sentence of the conversation. Yields after each turn. */
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

  /** Question, answer, restatement and acceptance form a decision in any language. */
  const close = (answer: number) => {
    isClosed = true;
    for (const statement of statements)
      if (statement.turn === answer && statement.question !== null) statement.score += 1.5;
  };

  for (const [turn, { prompt, reply }] of conversation.entries()) {
    yield;
    const own = sentencesOfUser(prompt);
    const after = reply === null ? [] : sentencesOfAgent(reply);
    const act = dialogueAct(own, before);
    const isLast = turn === conversation.length - 1;
    const uptake = readUptake(after, act.answers !== null || act.corrects);
    const isConsent = act.accepts && !act.corrects && isPlainConsent(own, before);
    amends ||= act.amends;
    replaces ||= act.replaces;
    if (act.asks) counts.asked += 1;
    else if ((turn > 0 || uptake.isPositive) && own.length > 0 && !act.requests) counts.stated += 1;
    if (act.corrects || (act.answers !== null && !act.asks)) counts.replies += 1;

    // what the user corrects was right only in the view of the agent
    if (act.corrects && !act.accepts && !act.declines)
      statements = statements.filter(({ origin, role, turn: at }) =>
        origin === 'user'
          ? !act.retracts || at !== turn - 1
          : at !== turn - 1 && !(role === 'proposal' && at === turn - 2),
      );
    if (act.accepts && !act.corrects) {
      if (openQuestion(before) === null && turn - answeredAt <= 2) close(answeredAt);
      const said = unionOf(userTerms.slice(-RECENT_TURNS));
      const isAboutAll = isConsent && asksForConsent(before);
      for (const statement of statements)
        if (
          statement.turn === turn - 1 &&
          statement.origin !== 'user' &&
          (isAboutAll || !addsClause(statement.text, said))
        ) {
          statement.origin = 'agreed';
          statement.score += 1;
        }
    }
    if (act.answers !== null || act.corrects) answeredAt = turn;

    const earlier = conversation.slice(Math.max(0, turn - OPTION_TURNS), turn).map((one) => one.reply);
    const proposals = act.accepts ? acceptedProposals(before, turn - 1) : [];
    const option =
      pickedOption(sentencesOf(own).join(' '), earlier.reverse()) ??
      (act.corrects && proposals.length > 0 && sentencesOf(own).length === 1
        ? proposals.map(({ text }) => text).join(' ')
        : null);
    const terms = termsOf((reply ?? '').slice(0, LONGEST_TEXT));
    const answers = numberedAnswers(prompt, lastReply);
    const stated =
      answers.length > 0
        ? answers.map((one): Statement => ({ ...one, origin: 'user', turn, score: STRONG, role: 'proposal' }))
        : statementsOfUser(own, { turn, act, replied: terms, follows: uptake.follows, option });
    if (act.amends || act.corrects) statements = withoutChanged(statements, stated);
    if (isConsent)
      statements.push(...proposals, ...acceptedRule(act.answers, sentencesOf(own).join(' '), turn));
    statements.push(...stated);
    userTerms.push(termsOf([act.answers ?? '', ...sentencesOf(own)].join('\n')));
    const recent = unionOf(userTerms.slice(-RECENT_TURNS));
    const shared = unionOf([recent, ...agentTerms.slice(-RECENT_TURNS)]);
    // after consent or a question, the agent reports or explains, so only a recap counts
    const isStating =
      act.answers !== null || act.corrects || (!act.accepts && (act.amends || stated.some(isDefinite)));
    const restated = restatements(after, { recent, shared, turn, isLast, onlyRecaps: !isStating });
    if (isLast && answeredAt === turn && restated.length > 0) close(turn);
    const recaps = restated.filter(({ role }) => role === 'recap').map(({ text }) => withoutQuotes(text));
    amends ||= recaps.some((text) => AMENDS.test(text));
    replaces ||= recaps.some((text) => REPLACES.test(text));
    statements.push(
      ...restated,
      ...(stated.some(isDefinite) ? followUps(after, { turn, known: restated }) : []),
    );
    agentTerms.push(terms);
    // a second message before any reply still answers the last one of the agent
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

/** A new sentence of the user replaces an earlier sentence when it repeats this share of its terms. */
const REPEATED = 0.6;

function withoutChanged(statements: readonly Statement[], changed: readonly Statement[]): Statement[] {
  const terms = changed.map(({ text }) => termsOf(text));
  return statements.filter((statement) => {
    const old = termsOf(formatStatement(statement));
    return old.size < 3 || !terms.some((one) => shareIn(old, one) >= REPEATED);
  });
}

/** The first sentences of a reply show how the agent understood a statement of the user. */
const FOLLOW_UPS = 3;

function followUps(
  after: readonly Paragraph[],
  { turn, known }: { turn: number; known: readonly Statement[] },
): Statement[] {
  return sentencesOf(after)
    .slice(0, FOLLOW_UPS)
    .filter((text) => !isQuestion(text) && termsOf(text).size >= 3 && !known.some((one) => one.text === text))
    .map((text) => ({ text, origin: 'agent', turn, score: 0, question: null, role: 'statement' }));
}
