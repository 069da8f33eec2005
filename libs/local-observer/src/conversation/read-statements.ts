import type { ConversationTurn } from '@claude-mem/core';
import type { Steps } from '@claude-mem/evidence';
import {
  ACCEPTS,
  AMENDS,
  BINDS,
  COMPLIES,
  CONFIRMS,
  CONSTRAINS,
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
  REFERS_BACK,
  REPORTS,
  REQUESTS,
} from './cues.js';
import { dialogueAct, isQuestion, openQuestion, withoutQuotes, type DialogueAct } from './dialogue-act.js';
import { countWords } from '../text/count-words.js';
import {
  mentionsPerson,
  sentencesOf,
  sentencesOfAgent,
  sentencesOfUser,
  type Paragraph,
} from './own-sentences.js';
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
  /**
   * `recap`: part of a restatement of everything that was agreed. `proposal`: a proposal of the agent that the user accepted.
   * `directive`: the user limited how something has to be, and the agent followed.
   */
  role: 'statement' | 'recap' | 'proposal' | 'directive';
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
    const isFollowed = sentencesOf(after.slice(0, 2))
      .slice(0, 2)
      .some((text) => COMPLIES.test(text));
    amends ||= act.amends;
    if (act.asks) counts.asked += 1;
    else if ((turn > 0 || isFollowed) && own.length > 0 && !act.requests) counts.stated += 1;
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

    const earlier = conversation.slice(Math.max(0, turn - OPTION_TURNS), turn).map((one) => one.reply);
    const stated = statementsOfUser(own, act, {
      option: pickedOption(sentencesOf(own).join(' '), earlier.reverse()),
      turn,
      after,
      isFollowed,
    });
    if (act.amends || act.corrects) statements = withoutChanged(statements, stated);
    if (act.accepts && !act.corrects) statements.push(...acceptedProposals(before, turn - 1));
    statements.push(...stated);
    userTerms.push(termsOf(sentencesOf(own).join('\n')));
    const recent = unionOf(userTerms.slice(-RECENT_TURNS));
    const shared = unionOf([recent, ...agentTerms.slice(-RECENT_TURNS)]);
    // After mere consent or a question the agent reports or explains. Only a recap counts then.
    const isStating =
      act.answers !== null || act.corrects || (!act.accepts && (act.amends || stated.some(isDefinite)));
    const restated = restatements(after, { recent, shared, turn, isLast }).filter(
      ({ role }) => role === 'recap' || isStating,
    );
    if (isLast && answeredAt === turn && restated.length > 0) close(turn);
    amends ||= restated.some(({ text, role }) => role === 'recap' && AMENDS.test(withoutQuotes(text)));
    statements.push(...restated);
    agentTerms.push(termsOf(sentencesOf(after).join('\n')));
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
    isFollowed,
    option,
    turn,
  }: { after: readonly Paragraph[]; isFollowed: boolean; option: string | null; turn: number },
): Statement[] {
  const sentences = sentencesOf(own);
  const message = sentences.join(' ').replace(/(?<=[。！？]) /gu, '');
  const { answers, corrects, accepts, amends, asks } = act;
  const isReply = answers !== null || corrects;
  if (!isReply && !accepts && message.length > IMPERSONAL_LENGTH && !mentionsPerson(message)) return [];
  const statement = { origin: 'user', turn, role: 'statement' } as const;
  const isShort = countWords(message) <= SHORT_ANSWER_WORDS && !asks;
  if (option !== null && isShort)
    return [{ ...statement, text: message, question: option, score: STRONG, role: 'proposal' }];
  if (answers !== null && isShort && !accepts)
    return [
      {
        ...statement,
        text: message,
        question: answers,
        score: 1.5 + Math.max(0, lastingScore(message)),
        role: isFollowed ? 'directive' : 'statement',
      },
    ];
  const restated = termsOf(sentencesOf(after).join('\n'));
  const context = (isReply || amends ? 1.5 : 0) - (asks && !isReply ? 1.5 : 0);
  return sentences.flatMap((text): Statement[] => {
    const terms = termsOf(text);
    const isConsent = terms.size < 4 && ACCEPTS.test(text);
    if (isQuestion(text) || /[:：]$/.test(text) || terms.size < 2 || isConsent) return [];
    const uptake = shareIn(terms, restated) >= 0.4 ? 0.5 : 0;
    const lasting = lastingScore(text);
    const isDirective = isFollowed && constrains(text);
    const score = lasting + context + uptake + (isDirective ? 1 : 0);
    return [{ ...statement, text, question: null, score, role: isDirective ? 'directive' : 'statement' }];
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

/**
 * What the agent recommended, from the recommendation to the end of its message. It counts more when the agent asked whether it shall
 * hold than when the agent asked for permission to begin.
 */
function acceptedProposals(before: readonly Paragraph[], turn: number): Statement[] {
  const question = openQuestion(before);
  const isAgreed =
    question !== null && (REFERS_BACK.test(question) || (CONFIRMS.test(question) && !OFFERS.test(question)));
  const sentences = sentencesOf(before);
  const leads = before.flatMap(({ sentences: inside, lead }) => inside.map(() => lead));
  const first = sentences.findIndex(
    (text, at) => RECOMMENDS.test(withoutQuotes(text)) || RECOMMENDS.test(leads[at]!),
  );
  if (first === -1) return [];
  return sentences.slice(first).flatMap((text): Statement[] => {
    const bare = withoutQuotes(text);
    if (isQuestion(text) || REPORTS.test(bare) || termsOf(text).size < 2) return [];
    const score =
      (isAgreed ? STRONG : 1.5) + (RECOMMENDS.test(bare) ? 0.5 : 0) + Math.max(0, lastingScore(text) / 2);
    return [
      { text, origin: 'agreed', turn, score, question: null, role: isAgreed ? 'proposal' : 'statement' },
    ];
  });
}

/** Limits how something has to be, and neither narrates nor guesses. */
function constrains(sentence: string): boolean {
  const text = withoutQuotes(sentence);
  const isRule = LIMITS.test(text) || BINDS.test(text) || PREFERS.test(text) || DECIDES.test(text);
  const isOther = NARRATES.test(text) || HEDGES.test(text) || NAMES_COMMIT.test(text);
  return (isRule || CONSTRAINS.test(text)) && !isOther;
}

/** How far the words of a sentence show that it holds beyond the task. */
function lastingScore(sentence: string): number {
  const text = withoutQuotes(sentence);
  const request = !REQUESTS.test(text) ? 0 : CONSTRAINS.test(text) ? -0.5 : -2;
  return WEIGHTS.reduce((score, [cue, weight]) => (cue.test(text) ? score + weight : score), request);
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
  [NARRATES, -2],
  [NAMES_COMMIT, -2],
];

/** A list of the agent repeats what was discussed when the conversation contains this share of its terms. */
const DISCUSSED = 0.5;

/** Sentences in which the agent repeats what was discussed. They are no new claims of the agent. */
function restatements(
  after: readonly Paragraph[],
  {
    recent,
    shared,
    turn,
    isLast,
  }: {
    /** Terms of the user. */
    recent: ReadonlySet<string>;
    /** Terms of the user and of earlier messages of the agent. */
    shared: ReadonlySet<string>;
    turn: number;
    isLast: boolean;
  },
): Statement[] {
  const discussed = turn === 0 ? new Set() : discussedLists(after, shared);
  return after.flatMap(({ sentences, lead, isListed }) => {
    const all = termsOf(sentences.join(' '));
    const isInList = isListed && discussed.has(lead);
    let isRecap =
      isInList || RECAPS.test(lead.slice(-120)) || (isLast && all.size >= 6 && shareIn(all, recent) >= 0.4);
    return sentences.flatMap((text): Statement[] => {
      const bare = withoutQuotes(text);
      if (isQuestion(text) || REPORTS.test(bare)) return [];
      // the rest of its paragraph belongs to a recap
      isRecap ||= RECAPS.test(bare.slice(0, 60));
      const terms = termsOf(text);
      const echo = shareIn(terms, recent);
      if (PROPOSES.test(bare) || NAMES_COMMIT.test(bare)) return [];
      if (isRecap ? terms.size < 3 || (echo < 0.3 && !isInList) : terms.size < 5 || echo < 0.4) return [];
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

/** The leads of lists with two items or more that repeat what was discussed. */
function discussedLists(after: readonly Paragraph[], shared: ReadonlySet<string>): Set<string> {
  const lists = new Map<string, string[]>();
  for (const { isListed, lead, sentences } of after) {
    if (!isListed) continue;
    const items = lists.get(lead) ?? [];
    items.push(sentences.join(' '));
    lists.set(lead, items);
  }
  const repeated = [...lists].filter(
    ([, items]) => items.length > 1 && shareIn(termsOf(items.join('\n')), shared) >= DISCUSSED,
  );
  return new Set(repeated.map(([lead]) => lead));
}
