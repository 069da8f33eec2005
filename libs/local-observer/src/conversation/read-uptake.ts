import { ACKNOWLEDGES, COMPLIES } from './cues.js';
import { isQuestion } from './dialogue-act.js';
import { isOwnRule } from './lasting-score.js';
import { sentencesOf, type Paragraph } from './own-sentences.js';
import { shareIn, termsOf } from './terms.js';

/** How the agent responds to a message of the user. */
export interface Uptake {
  /** The agent did what the user asked for, or acknowledged the message. */
  isPositive: boolean;
  /** Whether the agent did, or will do, what a sentence of the user asks for. */
  follows: (text: string) => boolean;
}

/** Minimum share of the terms of a sentence that the agent repeats when it acknowledges it as a rule. */
const TAKEN_UP = 0.4;

/** `isAnswer`: the user answered or corrected the agent. */
export function readUptake(after: readonly Paragraph[], isAnswer: boolean): Uptake {
  const sentences = sentencesOf(after);
  const opening = [...after.map(({ lead }) => lead), ...sentences.slice(0, 2)].filter(
    (text) => !isQuestion(text),
  );
  const isFollowed = opening.some((text) => COMPLIES.test(text));
  const isAcknowledged = opening.some((text) => ACKNOWLEDGES.test(text));
  const repeated = termsOf(sentences.filter((text) => !isQuestion(text)).join(' '));
  // a reply that is only an acknowledgement accepts all of the message
  const isBare = termsOf(sentences.join(' ').replace(ACKNOWLEDGES, '')).size === 0;
  return {
    isPositive: isFollowed || isAcknowledged,
    follows: (text) =>
      isFollowed ||
      (isAcknowledged &&
        (isAnswer || isBare || isOwnRule(text) || shareIn(termsOf(text), repeated) >= TAKEN_UP)),
  };
}
