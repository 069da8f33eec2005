import type { ConversationTurn } from '@claude-mem/core';
import type { Steps } from '@claude-mem/evidence';
import {
  ACCEPTS,
  ACKNOWLEDGES,
  AMENDS,
  BINDS,
  CONFIRMS,
  CONTRASTS,
  DECIDES,
  EXPLAINS,
  HEDGES,
  IS_LOCAL,
  LIMITS,
  NAMES_COMMIT,
  NARRATES,
  OFFERS,
  PREFERS,
  PROPOSES,
  RECAPS,
  RECOMMENDS,
  REPORTS,
  REQUESTS,
} from './cues.js';
import { dialogueAct, isQuestion, openQuestion, withoutQuotes, type DialogueAct } from './dialogue-act.js';
import { countWords } from '../text/count-words.js';
import { mentionsPerson, sentencesOfAgent, sentencesOfUser, type Paragraph } from './own-sentences.js';
import { pickedOption } from './picked-option.js';
import { shareIn, termsOf } from './terms.js';

/** A sentence of a conversation that says what was decided, word for word. */
export interface Statement {
  text: string;
  /** `agent`: the agent repeated it in the user's terms. `agreed`: the user also accepted it. */
  origin: 'user' | 'agent' | 'agreed';
  /** Index of the turn in the conversation. */
  turn: number;
  /** How much indicates that it holds beyond the task. From `STRONG` on it needs no support by others. */
  score: number;
  /** The agent's question, for a short answer that cannot be understood without it. */
  question: string | null;
  /** `recap`: part of a restatement of everything that was agreed. `proposal`: a proposal of the agent that the user accepted. */
  role: 'statement' | 'recap' | 'proposal';
}

export interface ReadConversation {
  /** In the order of the conversation. */
  statements: readonly Statement[];
  /** The user states more often than asks: a conversation that can decide something. */
  isDialogue: boolean;
  /** The user answered or corrected the agent at least once. */
  hasReplies: boolean;
  /** A question of the agent was answered, restated and accepted. */
  isClosed: boolean;
  /** Replaces a rule of an earlier conversation. */
  amends: boolean;
}

export const STRONG = 3;

/** Turns whose words a sentence of the agent may restate. In a long session nearly every word occurred at some time. */
const RECENT_TURNS = 8;

/** Finds what people decided in a conversation. Each text is a sentence of the conversation. Yields after each turn. */
export function* statementSteps(conversation: readonly ConversationTurn[]): Steps<ReadConversation> {
  let statements: Statement[] = [];
  const userTerms: Set<string>[] = [];
  const counts = { stated: 0, asked: 0, replies: 0 };
  let before: readonly Paragraph[] = [];
  let answeredAt = -Infinity;
  let isClosed = false;
  let amends = false;

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
    const isAcknowledged = ACKNOWLEDGES.test(after[0]?.[0] ?? '');
    amends ||= act.amends;
    if (act.asks) counts.asked += 1;
    else if ((turn > 0 || isAcknowledged) && own.length > 0 && !act.requests) counts.stated += 1;
    if (act.corrects || (act.answers !== null && !act.asks)) counts.replies += 1;

    // what the user corrects was right only in the view of the agent
    if (act.corrects && !act.accepts)
      statements = statements.filter((one) => one.origin === 'user' || one.turn !== turn - 1);
    if (act.accepts && !act.corrects) {
      if (openQuestion(before) === null && turn - answeredAt <= 2) close(answeredAt);
      for (const statement of statements)
        if (statement.turn === turn - 1 && statement.origin !== 'user') {
          statement.origin = 'agreed';
          statement.score += 1;
        }
    }
    if (act.answers !== null || act.corrects) answeredAt = turn;

    const stated = statementsOfUser(own, act, {
      option: pickedOption(own.flat().join(' '), conversation[turn - 1]?.reply),
      turn,
      after,
      isAcknowledged,
    });
    if (act.amends || act.corrects) statements = withoutChanged(statements, stated);
    if (act.accepts && !act.corrects) statements.push(...acceptedProposals(before, turn - 1));
    statements.push(...stated);
    userTerms.push(termsOf(own.flat().join('\n')));
    if (act.answers !== null || act.corrects || act.accepts || act.amends) {
      const recent = new Set(userTerms.slice(-RECENT_TURNS).flatMap((terms) => [...terms]));
      // After mere consent the agent reports its work. Only a recap counts then.
      const restated = restatements(after, recent, { turn, isLast }).filter(
        ({ role }) => role === 'recap' || !act.accepts || act.corrects,
      );
      if (isLast && answeredAt === turn && restated.length > 0) close(turn);
      amends ||= restated.some(({ text, role }) => role === 'recap' && AMENDS.test(withoutQuotes(text)));
      statements.push(...restated);
    }
    before = after;
  }
  return {
    statements,
    isDialogue: counts.stated > counts.asked,
    hasReplies: counts.replies > 0,
    isClosed,
    amends,
  };
}

/** A longer text that mentions no person and is no reply is often pasted. */
const IMPERSONAL_LENGTH = 160;
const SHORT_ANSWER_WORDS = 10;

function statementsOfUser(
  own: readonly Paragraph[],
  act: DialogueAct,
  {
    after,
    isAcknowledged,
    option,
    turn,
  }: { after: readonly Paragraph[]; isAcknowledged: boolean; option: string | null; turn: number },
): Statement[] {
  const sentences = own.flat();
  const message = sentences.join(' ').replace(/(?<=[。！？]) /gu, '');
  const { answers, corrects, accepts, amends, asks } = act;
  const isReply = answers !== null || corrects;
  if (!isReply && !accepts && message.length > IMPERSONAL_LENGTH && !mentionsPerson(message)) return [];
  const statement = { origin: 'user', turn, role: 'statement' } as const;
  const isShort = countWords(message) <= SHORT_ANSWER_WORDS && !asks;
  if (option !== null && isShort) return [{ ...statement, text: message, question: option, score: STRONG }];
  if (answers !== null && isShort && !accepts)
    return [
      { ...statement, text: message, question: answers, score: 1.5 + Math.max(0, lastingScore(message)) },
    ];
  const restated = termsOf(after.flat().join('\n'));
  const context = (isReply || amends ? 1.5 : 0) - (asks && !isReply ? 1.5 : 0);
  return sentences.flatMap((text): Statement[] => {
    const terms = termsOf(text);
    const isConsent = terms.size < 4 && ACCEPTS.test(text);
    if (isQuestion(text) || /[:：]$/.test(text) || terms.size < 2 || isConsent) return [];
    const uptake = shareIn(terms, restated) >= 0.4 ? 0.5 : 0;
    const lasting = lastingScore(text);
    const acknowledged = isAcknowledged && lasting >= 2 ? 1 : 0;
    return [{ ...statement, text, question: null, score: lasting + context + uptake + acknowledged }];
  });
}

/** A new sentence replaces an earlier one of the user when it repeats this share of its terms. */
const REPEATED = 0.6;

function withoutChanged(statements: readonly Statement[], changed: readonly Statement[]): Statement[] {
  const terms = changed.map(({ text }) => termsOf(text));
  return statements.filter(({ text }) => {
    const old = termsOf(text);
    return old.size < 3 || !terms.some((one) => shareIn(old, one) >= REPEATED);
  });
}

/** What the agent recommended, up to the question whether it shall hold. */
function acceptedProposals(before: readonly Paragraph[], turn: number): Statement[] {
  const question = openQuestion(before);
  if (question === null || !CONFIRMS.test(question) || OFFERS.test(question)) return [];
  return before.flatMap((paragraph) => {
    const first = paragraph.findIndex((text) => RECOMMENDS.test(withoutQuotes(text)));
    return first === -1
      ? []
      : paragraph.slice(first).flatMap((text): Statement[] => {
          const bare = withoutQuotes(text);
          if (isQuestion(text) || REPORTS.test(bare) || termsOf(text).size < 3) return [];
          const score = STRONG + (RECOMMENDS.test(bare) ? 0.5 : 0) + Math.max(0, lastingScore(text) / 2);
          return [{ text, origin: 'agreed', turn, score, question: null, role: 'proposal' }];
        });
  });
}

/** How far the words of a sentence show that it holds beyond the task. */
function lastingScore(sentence: string): number {
  const text = withoutQuotes(sentence);
  return WEIGHTS.reduce((score, [cue, weight]) => (cue.test(text) ? score + weight : score), 0);
}

const WEIGHTS: readonly (readonly [RegExp, number])[] = [
  [DECIDES, 2.5],
  [PREFERS, 2.5],
  [BINDS, 2],
  [EXPLAINS, 1],
  [LIMITS, 0.5],
  [CONTRASTS, 0.5],
  [IS_LOCAL, -1],
  [HEDGES, -1.5],
  [REQUESTS, -2],
  [NARRATES, -2],
  [NAMES_COMMIT, -2],
];

/** Sentences in which the agent repeats what the user said. They are no new claims of the agent. */
function restatements(
  after: readonly Paragraph[],
  userTerms: ReadonlySet<string>,
  { turn, isLast }: { turn: number; isLast: boolean },
): Statement[] {
  return after.flatMap((paragraph) => {
    const all = termsOf(paragraph.join(' '));
    let isRecap = isLast && all.size >= 6 && shareIn(all, userTerms) >= 0.4;
    return paragraph.flatMap((text): Statement[] => {
      const bare = withoutQuotes(text);
      if (isQuestion(text) || REPORTS.test(bare)) return [];
      // the rest of its paragraph belongs to a recap
      isRecap ||= RECAPS.test(bare.slice(0, 60));
      const terms = termsOf(text);
      const echo = shareIn(terms, userTerms);
      if (PROPOSES.test(bare) || NAMES_COMMIT.test(bare)) return [];
      if (isRecap ? terms.size < 3 || echo < 0.3 : terms.size < 5 || echo < 0.4) return [];
      const closeness = (isRecap || echo >= 0.6 ? 2 : 1) + (isRecap ? (isLast ? 3 : 2) : 0);
      return [
        {
          text,
          origin: 'agent',
          turn,
          score: closeness + Math.max(0, lastingScore(text) / 2),
          question: null,
          role: isRecap ? 'recap' : 'statement',
        },
      ];
    });
  });
}
