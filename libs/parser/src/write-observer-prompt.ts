import type { ObserverBatch } from '@claude-mem/core';
import type { ObserverMode } from './observer-mode.js';
import { VERBOSITY, type Verbosity } from './verbosity.js';
import { writeInstructions } from './write-instructions.js';
import { writeTask } from './write-task.js';
import { writeTurn } from './write-turn.js';
import { tokensInRequest } from './tokens-in-request.js';

export interface ObserverPromptOptions {
  /** Language of the records. When it is empty or absent, the records are in the language of the user's prompt. */
  language?: string;
  /** Controls how much is recorded and how many tokens a turn gets. @default 'normal' */
  verbosity?: Verbosity;
  /**
   * Maximum tokens of the request, including the JSON around both texts. The instructions are never shortened. @default
   * 8_000
   */
  maxTokens?: number;
}

/** The two texts of one request. */
export interface ObserverPrompt {
  /** The same for every request with the same mode, language and verbosity. */
  instructions: string;
  prompt: string;
}

/** Tokens for the rest of a vendor's request. */
const ENVELOPE_TOKENS = 80;
/** Minimum tokens for the turn, also with long instructions. */
const MIN_TURN_TOKENS = 300;

/**
 * Writes the complete request for one batch: instructions, state of the session, the turn, and the task. The request
 * needs no earlier messages.
 * All text from the host is escaped, so it cannot end its element or imitate an instruction or a reply. The tokens for
 * a turn depend on its number of tool uses, so the cost of a session grows linearly.
 */
export function writeObserverPrompt(
  batch: ObserverBatch,
  mode: ObserverMode,
  { language = '', verbosity = 'normal', maxTokens = 8_000 }: ObserverPromptOptions = {},
): ObserverPrompt {
  const instructions = writeInstructions(mode, language, verbosity);
  const task = writeTask(batch);
  const room = maxTokens - tokensInRequest(instructions) - tokensInRequest(task) - ENVELOPE_TOKENS;
  const turn = writeTurn(batch, VERBOSITY[verbosity].allowance, Math.max(MIN_TURN_TOKENS, room));
  return { instructions, prompt: `${turn}\n${task}` };
}
