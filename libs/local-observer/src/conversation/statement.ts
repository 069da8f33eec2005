/** A sentence of a conversation that states a decision, word for word. */
export interface Statement {
  text: string;
  /**
   * `agent` means that the agent repeated or answered the user. `agreed` means that the user accepted a sentence of the
   * agent.
   */
  origin: 'user' | 'agent' | 'agreed';
  /** Index of the turn in the conversation. */
  turn: number;
  /**
   * Score for how clearly the words indicate a rule. A sentence with at least `STRONG` needs no support by other
   * sentences.
   */
  score: number;
  /** The agent's question, for a short answer that is not clear without it. */
  question: string | null;
  /**
   * `recap` is part of a restatement of all agreed rules. `proposal` is a proposal of the agent that the user accepted.
   * `directive` is a constraint of the user that the agent followed.
   */
  role: 'statement' | 'recap' | 'proposal' | 'directive';
}

/** Minimum score of a sentence that supports a record without other sentences. */
export const STRONG = 3;
