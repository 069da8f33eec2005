import { FAULT } from '../text/lexicon.js';
import {
  ACCEPTS,
  CONFIRMS,
  NAMES_CHOICE,
  NEGATES,
  OFFERS,
  RECOMMENDS,
  REFERS_BACK,
  REPORTS,
} from './cues.js';
import { isQuestion, openQuestion, withoutQuotes } from './dialogue-act.js';
import { lastingScore } from './lasting-score.js';
import { sentencesOf, type Paragraph } from './own-sentences.js';
import { STRONG, type Statement } from './statement.js';
import { extractTerms } from './terms.js';

/** Maximum number of terms in a question for consent that do not occur before it, such as "agree". */
const MAX_NEW_TERMS = 2;
/** Matches a sentence that begins an alternative, a drawback or another subject. */
const CHANGES_SUBJECT =
  /^\W*(?:alternatively|otherwise|or\b|the (?:downside|drawback)|on the other hand|also,|separately|by the way|alternativ|sinon|alternativement|alternativamente|или|或者)/iu;

/** Returns true when a message contains only consent. */
export function isPlainConsent(own: readonly Paragraph[], before: readonly Paragraph[]): boolean {
  const sentences = sentencesOf(own);
  if (sentences.some((text) => isQuestion(text) || NEGATES.test(text))) return false;
  const known = extractTerms(sentencesOf(before).join(' '));
  const clauses = (sentences[0] ?? '').replace(COURTESY, '').split(/[,;—–]/);
  const others = clauses.map((clause) => clause.trim().replace(ACCEPTS, ''));
  return [...extractTerms(others.join(' '))].every((term) => known.has(term));
}

const COURTESY = /\b(?:please|thanks?|thank you|danke|bitte|merci|gracias|obrigad[oa])\b/giu;

/** Returns true when a message asks nothing, or asks only whether the user agrees with it. */
export function asksForConsent(before: readonly Paragraph[]): boolean {
  const question = openQuestion(before);
  if (question === null) return true;
  return REFERS_BACK.test(question) || (CONFIRMS.test(question) && !OFFERS.test(question));
}

/** Minimum score of a question that proposes a lasting rule, such as a question with an obligation and a limit. */
const MIN_LASTING_SCORE = 2.5;

/**
 * Lists the rule that the agent proposed as a question, with the consent of the user. An offer of work is not a rule.
 */
export function acceptedRule(question: string | null, consent: string, turn: number): Statement[] {
  const isRule =
    question !== null &&
    lastingScore(question) >= MIN_LASTING_SCORE &&
    ![OFFERS, NAMES_CHOICE, FAULT].some((other) => other.test(question));
  return isRule ? [{ text: consent, origin: 'agreed', turn, score: STRONG, question, role: 'proposal' }] : [];
}

/**
 * Lists the recommendation of the agent, up to the end of its message. The score is higher when the agent asked the
 * user to confirm it than when the agent asked for permission to begin.
 */
export function acceptedProposals(before: readonly Paragraph[], turn: number): Statement[] {
  const question = openQuestion(before);
  const isAgreed = question !== null && asksForConsent(before);
  const sentences = sentencesOf(before);
  // A question with a new subject does not concern the proposal.
  const known = extractTerms(sentences.filter((text) => text !== question).join(' '));
  const asked = [...extractTerms(question ?? '')].filter((term) => !known.has(term));
  if (question !== null && asked.length > MAX_NEW_TERMS) return [];
  const leads = before.flatMap(({ sentences: inside, lead }) => inside.map(() => lead));
  const first = sentences.findIndex(
    (text, at) => RECOMMENDS.test(withoutQuotes(text)) || RECOMMENDS.test(leads[at]!),
  );
  if (first === -1) return [];
  const length = sentences.slice(first).findIndex((text) => CHANGES_SUBJECT.test(text));
  return sentences.slice(first, length === -1 ? undefined : first + length).flatMap((text): Statement[] => {
    const bare = withoutQuotes(text);
    if (isQuestion(text) || REPORTS.test(bare) || extractTerms(text).size < 2) return [];
    const score =
      (isAgreed ? STRONG : 1.5) + (RECOMMENDS.test(bare) ? 0.5 : 0) + Math.max(0, lastingScore(text) / 2);
    return [
      { text, origin: 'agreed', turn, score, question: null, role: isAgreed ? 'proposal' : 'statement' },
    ];
  });
}
