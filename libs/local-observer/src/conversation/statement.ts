/** A sentence of a conversation that says what was decided, word for word. */
export interface Statement {
  text: string;
  /** `agent`: the agent repeated what the user said, or answered it. `agreed`: the user accepted it. */
  origin: 'user' | 'agent' | 'agreed';
  /** Index of the turn in the conversation. */
  turn: number;
  /** How strongly the words indicate a rule. A sentence with at least `STRONG` needs no support by other sentences. */
  score: number;
  /** The agent's question, for a short answer that cannot be understood without it. */
  question: string | null;
  /**
   * `recap`: part of a restatement of everything that was agreed. `proposal`: a proposal of the agent that the user accepted.
   * `directive`: the user limited how something has to be, and the agent followed.
   */
  role: 'statement' | 'recap' | 'proposal' | 'directive';
}

/** Minimum score of a sentence that supports a record without other sentences. */
export const STRONG = 3;
