import type { ObserverBatch } from '@claude-mem/core';
import { condenseText } from './condense-text.js';
import { fitEscaped } from './fit-text.js';
import { tokensInRequest } from './tokens-in-request.js';
import type { Allowance } from './verbosity.js';

const PROMPT_TOKENS = 120;
const REPLY_TOKENS = 100;
/** Maximum share of the room for the earlier turns: when they are observed or no tool was used, and beside other tool uses. */
const SHARE = { main: 0.5, beside: 0.15 };

/** The turns before the turn of the batch, newest last. When they are too long, the older ones are left out. */
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
  for (const turn of conversation.toReversed()) {
    if (turn.promptNumber >= promptNumber) continue;
    const user = take('user', ` turn="${turn.promptNumber}"`, turn.prompt, PROMPT_TOKENS);
    if (user === '') break;
    turns.unshift(user + take('agent', '', turn.reply, REPLY_TOKENS));
  }
  return turns.length === 0 ? '' : joinTurns(turns);
}

const joinTurns = (turns: readonly string[]) => `<conversation>\n${turns.join('')}</conversation>\n`;
