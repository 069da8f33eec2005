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
import { shareIn, termsOf } from './terms.js';

/** What a turn of the user does with the message of the agent before it. */
export interface DialogueAct {
  accepts: boolean;
  /** It refuses, or says how it has to be instead. */
  corrects: boolean;
  /** It takes back the message of the user before it. */
  retracts: boolean;
  /** The question that it answers; null when it answers none. */
  answers: string | null;
  /** It sets or changes a rule. */
  amends: boolean;
  /** It names an earlier rule and replaces it. */
  replaces: boolean;
  /** It refuses an offer of the agent, or drops its question, and nothing else. */
  declines: boolean;
  /** It contains a question. */
  asks: boolean;
  /** It orders work. */
  requests: boolean;
}

/** Text for cue matching: the words of quotations and code are not those of the writer. */
export const withoutQuotes = (text: string): string =>
  text.replace(/`[^`]*`/g, '`').replace(/"[^"]{12,400}"|“[^”]{12,400}”|「[^」]{6,400}」/g, '"');

export const isQuestion = (sentence: string): boolean => ASKS.test(sentence);

/** An offer asks for permission, not for a fact, unless it names a choice. */
const isOffer = (question: string): boolean => OFFERS.test(question) && !NAMES_CHOICE.test(question);

const openQuestions = (paragraphs: readonly Paragraph[]): string[] =>
  sentencesOf(paragraphs).slice(-4).filter(isQuestion);

/** The last question among the last sentences of a message. */
export const openQuestion = (paragraphs: readonly Paragraph[]): string | null =>
  openQuestions(paragraphs).at(-1) ?? null;

/** Returns the question whose terms an answer repeats, or all questions when it does not repeat the terms of exactly one. */
function answered(answer: string, questions: readonly string[]): string {
  const terms = termsOf(answer);
  const repeated = questions.filter((question) => shareIn(terms, termsOf(question)) > 0);
  return (repeated.length === 1 ? repeated : questions).join(' ');
}

/** `before`: the message of the agent, empty at the start of a conversation. */
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

/** "We have not changed our mind" replaces nothing. */
const DENIES =
  /(?<!\p{L})(?:not|never|n['’]t|nicht|nie|pas|jamais|no|nunca|não|не)(?!\p{L}).{0,30}(?:chang|amend|supersed|overrid|overrul|revis|replac|änder|ersetz|remplac|reemplaz|substitu|замен|отмен)/iu;

/** "Yes, but …" corrects. */
const CONTRADICTS =
  /(?<![\p{L}])(?:but|except|aber|außer|mais|pero|salvo|mas|exceto|но|кроме)(?![\p{L}])|但|でも|ただし/iu;
