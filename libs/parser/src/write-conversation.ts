import type { ConversationTurn, ObserverBatch } from '@claude-mem/core';
import { condenseText } from './condense-text.js';
import { fitEscaped } from './fit-text.js';
import { tokensInRequest } from './tokens-in-request.js';
import type { Allowance } from './verbosity.js';

const PROMPT_TOKENS = 120;
const REPLY_TOKENS = 100;
/** Maximum share of the room for the earlier turns: when they are observed or no tool was used, and beside other tool uses. */
const SHARE = { main: 0.5, beside: 0.15 };

/** Part of the room of a turn for its prompt. The rest is for its reply. */
const PROMPT_SHARE = 0.55;

/**
 * The turns before the turn of the batch, newest last. Turns that are observed with the batch are shortened until all of them fit. When
 * the others are too long, the oldest turns are left out.
 */
export function writeConversation(
  { conversation, promptNumber, firstPromptNumber, toolUses, session }: ObserverBatch,
  allowance: Allowance,
  room: number,
): string {
  const isMain = toolUses.length === 0 || firstPromptNumber < promptNumber;
  const most = isMain
    ? Math.min(allowance.conversation, room * SHARE.main)
    : Math.min(allowance.recentTurns, room * SHARE.beside);
  const turns: string[] = [];
  let left = most - tokensInRequest(joinTurns(['']));
  const take = (name: string, attributes: string, text: string | null, limit: number): string => {
    const frame = tokensInRequest(`<${name}${attributes}></${name}>\n`);
    const content = fitEscaped(condenseText(text ?? '', session.projectRoot), Math.min(limit, left) - frame);
    if (content === '') return '';
    left -= tokensInRequest(content) + frame;
    return `<${name}${attributes}>${content}</${name}>\n`;
  };
  const earlier = conversation.filter((turn) => turn.promptNumber < promptNumber);
  const isObserved = (turn: ConversationTurn) => turn.promptNumber >= firstPromptNumber;
  const roomOfObserved = left / Math.max(1, earlier.filter(isObserved).length);
  for (const turn of earlier.toReversed()) {
    const turnRoom = isObserved(turn) ? roomOfObserved : Infinity;
    const promptLimit = Math.min(PROMPT_TOKENS, turnRoom * PROMPT_SHARE);
    const replyLimit = Math.min(REPLY_TOKENS, turnRoom * (1 - PROMPT_SHARE));
    const user = take('user', ` turn="${turn.promptNumber}"`, turn.prompt, promptLimit);
    if (user === '') break;
    turns.unshift(user + take('agent', '', turn.reply, replyLimit));
  }
  return turns.length === 0 ? '' : joinTurns(turns);
}

const joinTurns = (turns: readonly string[]) => `<conversation>\n${turns.join('')}</conversation>\n`;
