import { ACKNOWLEDGES, COMPLIES } from './conversation/cues.js';
import { isQuestion } from './conversation/dialogue-act.js';
import { isOwnRule } from './conversation/lasting-score.js';
import { sentencesOf, type Paragraph } from './conversation/own-sentences.js';
import { getShare, extractTerms } from './conversation/terms.js';

/** The response of the agent to a message of the user. */
export interface AgentResponse {
  /** True when the agent followed or acknowledged the message. */
  isPositive: boolean;
  /** Returns true when the agent did, or will do, what a sentence of the user asks for. */
  follows: (text: string) => boolean;
}

/** Minimum share of the terms of a sentence that the agent repeats when it acknowledges the sentence as a rule. */
const MIN_REPEATED_SHARE = 0.4;

/**
 * Reads the response of the agent to a message.
 * @param isAnswer true when the user answered or corrected the agent
 */
export function readAgentResponse(after: readonly Paragraph[], isAnswer: boolean): AgentResponse {
  const sentences = sentencesOf(after);
  const opening = [...after.map(({ lead }) => lead), ...sentences.slice(0, 2)].filter(
    (text) => !isQuestion(text),
  );
  const isFollowed = opening.some((text) => COMPLIES.test(text));
  const isAcknowledged = opening.some((text) => ACKNOWLEDGES.test(text));
  const repeated = extractTerms(sentences.filter((text) => !isQuestion(text)).join(' '));
  // A reply with only an acknowledgement accepts the complete message.
  const isBare = extractTerms(sentences.join(' ').replace(ACKNOWLEDGES, '')).size === 0;
  return {
    isPositive: isFollowed || isAcknowledged,
    follows: (text) =>
      isFollowed ||
      (isAcknowledged &&
        (isAnswer ||
          isBare ||
          isOwnRule(text) ||
          getShare(extractTerms(text), repeated) >= MIN_REPEATED_SHARE)),
  };
}
