import type { ObserverBatch } from '@claude-mem/core';
import type { ObserverMode } from './observer-mode.js';
import { VERBOSITY, type Verbosity } from './verbosity.js';
import { writeInstructions } from './write-instructions.js';
import { writeTask } from './write-task.js';
import { writeTurn } from './write-turn.js';
import { tokensInRequest } from './tokens-in-request.js';

export interface ObserverPromptOptions {
  /** Language of the records; empty or absent: the language of the user's prompt. */
  language?: string;
  /** How much is worth a record, and how much of a turn is told. @default 'normal' */
  verbosity?: Verbosity;
  /** Bound of the request, JSON around both texts included; the instructions alone are never cut. @default 8_000 */
  maxTokens?: number;
}

/** The two texts of one request. */
export interface ObserverPrompt {
  /** The same for every request with the same mode, language and verbosity. */
  instructions: string;
  prompt: string;
}

/** For what a vendor's request holds besides the texts. */
const ENVELOPE_TOKENS = 80;
/** Fewest tokens for the turn itself, however long the instructions are. */
const MIN_TURN_TOKENS = 300;

/**
 * The whole request for one batch, so that a fresh conversation needs nothing else: instructions, what the session came
 * to so far, the turn, the task. All that comes from the host is escaped: it cannot end its element or pass for an
 * instruction or a reply. The turn gets tokens by its size, so that the cost of a session grows with its tool uses.
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
