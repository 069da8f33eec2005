/** A sentence of a conversation that says what was decided, word for word. */
export interface Statement {
  text: string;
  /** `agent`: the agent repeated what the user said, or answered it. `agreed`: the user accepted it. */
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

/** The least score of a sentence that makes a record alone. */
export const STRONG = 3;
