import {
  ACCEPTS,
  AMENDS,
  ASKS,
  DROPS,
  INVESTIGATES,
  NAMES_CHOICE,
  OFFERS,
  REFUSES,
  REPLACES,
  REQUESTS,
  RETRACTS,
} from './cues.js';
import { sentencesOf, type Paragraph } from './own-sentences.js';
import { getShare, extractTerms } from './terms.js';

/** The response of a user's message to the previous message of the agent. */
export interface DialogueAct {
  accepts: boolean;
  /** True when the message refuses, or describes the required correction. */
  corrects: boolean;
  /** True when the message withdraws the user's previous message. */
  retracts: boolean;
  /** The question that the message answers, or null. */
  answers: string | null;
  /** True when the message sets or changes a rule. */
  amends: boolean;
  /** True when the message names an earlier rule and replaces it. */
  replaces: boolean;
  /** True when the message only refuses an offer of the agent or drops its question. */
  declines: boolean;
  /** True when the message contains a question. */
  asks: boolean;
  /** True when the message orders work. */
  requests: boolean;
}

/** Removes quotations and code for cue matching, because their words are not those of the writer. */
export const withoutQuotes = (text: string): string =>
  text.replace(/`[^`]*`/g, '`').replace(/"[^"]{12,400}"|“[^”]{12,400}”|「[^」]{6,400}」/g, '"');

export const isQuestion = (sentence: string): boolean => ASKS.test(sentence);

/** An offer asks for permission, not for a fact, unless it names a choice. */
const isOffer = (question: string): boolean => OFFERS.test(question) && !NAMES_CHOICE.test(question);

const openQuestions = (paragraphs: readonly Paragraph[]): string[] =>
  sentencesOf(paragraphs).slice(-4).filter(isQuestion);

/** Returns the last question among the last sentences of a message. */
export const openQuestion = (paragraphs: readonly Paragraph[]): string | null =>
  openQuestions(paragraphs).at(-1) ?? null;

/**
 * Returns the question whose terms an answer repeats, or all questions when it does not repeat the terms of exactly
 * one.
 */
function answered(answer: string, questions: readonly string[]): string {
  const terms = extractTerms(answer);
  const repeated = questions.filter((question) => getShare(terms, extractTerms(question)) > 0);
  return (repeated.length === 1 ? repeated : questions).join(' ');
}

/**
 * Classifies a message of the user.
 * @param before the previous message of the agent; empty at the start of a conversation
 */
export function dialogueAct(own: readonly Paragraph[], before: readonly Paragraph[]): DialogueAct {
  const sentences = sentencesOf(own);
  const head = withoutQuotes(sentences[0] ?? '');
  const all = withoutQuotes(sentences.join(' '));
  const asked = sentences.filter(isQuestion).length;
  const isReply = before.length > 0;
  const questions = isReply ? openQuestions(before) : [];
  const question = questions.at(-1) ?? null;
  const accepts = isReply && ACCEPTS.test(head) && asked < sentences.length;
  const refuses = isReply && REFUSES.test(head);
  const drops = DROPS.test(head);
  const retracts = RETRACTS.test(head) || (drops && question === null);
  const open = questions.filter((one) => !isOffer(one) || accepts || refuses);
  const isAnswer =
    question !== null &&
    open.length > 0 &&
    !drops &&
    !retracts &&
    asked < sentences.length &&
    !REQUESTS.test(head) &&
    !INVESTIGATES.test(question);
  return {
    accepts: accepts && !refuses,
    declines: question !== null && ((refuses && isOffer(question)) || (drops && !retracts)),
    retracts,
    corrects: refuses || retracts || (accepts && CONTRADICTS.test(all.slice(0, 200))),
    answers: isAnswer ? answered(all, open) : null,
    amends: AMENDS.test(all),
    replaces: sentences.some(
      (text) => REPLACES.test(withoutQuotes(text)) && !isQuestion(text) && !DENIES.test(text),
    ),
    asks: asked > 0,
    requests: REQUESTS.test(head),
  };
}

/** Matches a denial: "We have not changed our mind" replaces nothing. */
const DENIES =
  /(?<!\p{L})(?:not|never|n['’]t|nicht|nie|pas|jamais|no|nunca|não|не)(?!\p{L}).{0,30}(?:chang|amend|supersed|overrid|overrul|revis|replac|änder|ersetz|remplac|reemplaz|substitu|замен|отмен)/iu;

/** Matches a correction such as "Yes, but …". */
const CONTRADICTS =
  /(?<![\p{L}])(?:but|except|aber|außer|mais|pero|salvo|mas|exceto|но|кроме)(?![\p{L}])|但|でも|ただし/iu;
