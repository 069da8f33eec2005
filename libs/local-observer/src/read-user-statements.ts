import { countWords } from './text/count-words.js';
import { FAULT } from './text/lexicon.js';
import { ACCEPTS, DROPS, NAMES_CHOICE, PROPOSES, REQUESTS, RETRACTS } from './conversation/cues.js';
import { isQuestion, withoutQuotes, type DialogueAct } from './conversation/dialogue-act.js';
import { constrains, isStated, lastingScore } from './conversation/lasting-score.js';
import { mentionsPerson, sentencesOf, type Paragraph } from './conversation/own-sentences.js';
import { STRONG, type Statement } from './conversation/statement.js';
import { getShare, extractTerms } from './conversation/terms.js';

/** Minimum length in UTF-16 code units of a probably pasted text: it mentions no person and is not a reply. */
const IMPERSONAL_LENGTH = 160;
/** Maximum number of sentences read from one message. Longer messages are mostly pasted. */
const MAX_SENTENCES = 120;
const SHORT_ANSWER_WORDS = 10;

export interface UserTurn {
  turn: number;
  act: DialogueAct;
  /** Terms of the reply of the agent. */
  replied: ReadonlySet<string>;
  /** Returns true when the reply shows that the agent did, or will do, what a sentence of the user asks for. */
  follows: (text: string) => boolean;
  /** Text of the option that the user picks, or of the proposal that the user accepts with a change. */
  option: string | null;
}

/** Lists the statements of the user. A short answer keeps its question or its option. */
export function readUserStatements(
  own: readonly Paragraph[],
  { turn, act, replied, follows, option }: UserTurn,
): Statement[] {
  const sentences = sentencesOf(own).slice(0, MAX_SENTENCES);
  const message = sentences.join(' ').replace(/(?<=[。！？]) /gu, '');
  const { answers, corrects, accepts, amends, asks } = act;
  const isReply = answers !== null || corrects;
  if (turn === 0 && message.length > IMPERSONAL_LENGTH && !mentionsPerson(message)) return [];
  const statement = { origin: 'user', turn, role: 'statement' } as const;
  const isShort = countWords(message) <= SHORT_ANSWER_WORDS && !asks;
  if (option !== null && isShort)
    return [{ ...statement, text: message, question: option, score: STRONG, role: 'proposal' }];
  if (answers !== null && isShort && !accepts) {
    const isChoice = choosesAlternative(answers, message);
    return [
      {
        ...statement,
        text: message,
        question: answers,
        score: (isChoice ? STRONG : 1.5) + Math.max(0, lastingScore(message)),
        role: isChoice ? 'proposal' : follows(message) ? 'directive' : 'statement',
      },
    ];
  }
  const context = (isReply || amends ? 1.5 : 0) - (asks && !isReply ? 1.5 : 0);
  return sentences.flatMap((sentence, at): Statement[] => {
    const text = at === 0 ? sentence.replace(RETRACTS, '').replace(DROPS, '') : sentence;
    if (option !== null && at === 0 && !isQuestion(text))
      return [{ ...statement, text, question: option, score: STRONG, role: 'proposal' }];
    const terms = extractTerms(text);
    const isConsent = terms.size < 4 && ACCEPTS.test(text) && !corrects;
    const lasting = lastingScore(text);
    const isFollowed = follows(text);
    // The first message orders work. A number in it is mostly part of a ticket name or a version.
    const limits = turn === 0 ? text.replace(/\d+/g, '') : text;
    const isDirective =
      ((isFollowed || (turn > 0 && repeatsNumber(text, replied))) && constrains(limits)) ||
      (turn > 0 && isFollowed && terms.size >= 4 && !REQUESTS.test(text) && isStated(text));
    // Two terms without a cue for a rule are a fragment of an answer.
    const minTerms = lasting >= 1 || isDirective ? 2 : 3;
    if (isQuestion(text) || /[:：]$/.test(text) || terms.size < minTerms || isConsent) return [];
    const uptake = getShare(terms, replied) >= 0.4 ? 0.5 : 0;
    const isOrder = REQUESTS.test(text) && !isFollowed;
    const score = lasting + context + uptake + (isDirective ? (isOrder ? 0.5 : 1) : 0);
    return [
      { ...statement, text: sentence, question: null, score, role: isDirective ? 'directive' : 'statement' },
    ];
  });
}

/**
 * Returns true when an answer only repeats one of the alternatives of a question. Answers about a fault or the next
 * step are not decisions.
 */
function choosesAlternative(question: string, answer: string): boolean {
  const isDecision = NAMES_CHOICE.test(question) && !FAULT.test(question) && !PROPOSES.test(question);
  return (
    isDecision && !NAMES_CHOICE.test(answer) && getShare(extractTerms(answer), extractTerms(question)) === 1
  );
}

/** Matches the number in "30 days", but not the one in "Python 3". */
const NUMBER = /(?<![\p{L}\d_.]|[\p{L},] \p{Lu}\p{L}{1,30} )\d+/gu;

/** Returns true when the agent repeats a number of the user. */
function repeatsNumber(text: string, replied: ReadonlySet<string>): boolean {
  return (withoutQuotes(text).match(NUMBER) ?? []).some((number) => replied.has(number));
}
