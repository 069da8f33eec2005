import type { ConversationTurn, ObserverBatch } from '@claude-mem/core';
import { condenseText } from './condense-text.js';
import { fitEscaped } from './fit-text.js';
import { tokensInRequest } from './tokens-in-request.js';
import type { Allowance } from './verbosity.js';

const PROMPT_TOKENS = 120;
const REPLY_TOKENS = 100;
/**
 * Maximum share of the tokens for the earlier turns: `main` when they are observed or no tool was used, `beside` next
 * to tool uses.
 */
const SHARE = { main: 0.5, beside: 0.15 };

/** Share of a turn's tokens for its prompt. The rest is for its reply. */
const PROMPT_SHARE = 0.55;

/**
 * Formats the turns before the turn of the batch, newest last. Turns that are observed with the batch are shortened
 * until all of them fit. Of the other turns, the oldest are skipped when the text is too long.
 */
export function writeConversation(
  { conversation, promptNumber, firstPromptNumber, toolUses, session }: ObserverBatch,
  allowance: Allowance,
  room: number,
): string {
  const isMain = toolUses.length === 0 || firstPromptNumber < promptNumber;
  const limit = isMain
    ? Math.min(allowance.conversation, room * SHARE.main)
    : Math.min(allowance.recentTurns, room * SHARE.beside);
  const turns: string[] = [];
  let remaining = limit - tokensInRequest(joinTurns(['']));
  const add = (name: string, attributes: string, text: string | null, limit: number): string => {
    const frame = tokensInRequest(`<${name}${attributes}></${name}>\n`);
    const content = fitEscaped(
      condenseText(text ?? '', session.projectRoot),
      Math.min(limit, remaining) - frame,
    );
    if (content === '') return '';
    remaining -= tokensInRequest(content) + frame;
    return `<${name}${attributes}>${content}</${name}>\n`;
  };
  const earlier = conversation.filter((turn) => turn.promptNumber < promptNumber);
  const isObserved = (turn: ConversationTurn) => turn.promptNumber >= firstPromptNumber;
  const observedRoom = remaining / Math.max(1, earlier.filter(isObserved).length);
  for (const turn of earlier.toReversed()) {
    const turnRoom = isObserved(turn) ? observedRoom : Infinity;
    const promptLimit = Math.min(PROMPT_TOKENS, turnRoom * PROMPT_SHARE);
    const replyLimit = Math.min(REPLY_TOKENS, turnRoom * (1 - PROMPT_SHARE));
    const user = add('user', ` turn="${turn.promptNumber}"`, turn.prompt, promptLimit);
    if (user === '') break;
    turns.unshift(user + add('agent', '', turn.reply, replyLimit));
  }
  return turns.length === 0 ? '' : joinTurns(turns);
}

const joinTurns = (turns: readonly string[]) => `<conversation>\n${turns.join('')}</conversation>\n`;
