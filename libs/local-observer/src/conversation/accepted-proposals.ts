import { CONFIRMS, OFFERS, RECOMMENDS, REFERS_BACK, REPORTS } from './cues.js';
import { isQuestion, openQuestion, withoutQuotes } from './dialogue-act.js';
import { lastingScore } from './lasting-score.js';
import { sentencesOf, type Paragraph } from './own-sentences.js';
import { STRONG, type Statement } from './statement.js';
import { termsOf } from './terms.js';

/**
 * Lists what the agent recommended, from the recommendation to the end of its message. The score is higher when the agent asked the user
 * to confirm it than when the agent asked for permission to begin.
 */
export function acceptedProposals(before: readonly Paragraph[], turn: number): Statement[] {
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
