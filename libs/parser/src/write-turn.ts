import { toSingleLine, type ObserverBatch, type SummaryDraft } from '@claude-mem/core';
import { condenseText } from './condense-text.js';
import { fitEscaped } from './fit-text.js';
import { jsonAsText } from './json-as-text.js';
import { inAttribute } from './markup.js';
import type { Allowance } from './verbosity.js';
import { writeConversation } from './write-conversation.js';
import { writeToolUses } from './write-tool-uses.js';
import { tokensInRequest } from './tokens-in-request.js';

/** Of the element around the titles. */
const TITLES_FRAME = 12;

/** The session so far and the turn, each part within its allowance and all of it within `room` tokens. */
export function writeTurn(batch: ObserverBatch, allowance: Allowance, room: number): string {
  const { session, promptNumber, prompt, recordedTitles, lastSummary, closing } = batch;
  const start = `<session host="${session.host}" project="${inAttribute(session.project)}">\n`;
  const turnStart = `<turn number="${promptNumber}">\n`;
  const end = '</turn>\n</session>';
  let left = room - tokensInRequest(start + turnStart + end) - 1;

  const take = (name: string, text: string, most: number, share: number): string => {
    const frame = tokensInRequest(`<${name}></${name}>\n`);
    const content = fitEscaped(text, Math.min(most, left * share) - frame);
    if (content === '') return '';
    left -= tokensInRequest(content) + frame;
    return `<${name}>${content}</${name}>\n`;
  };
  const words = (text: string | null) => condenseText(jsonAsText(text), session.projectRoot);

  const earlier = [
    promptNumber > 1 ? take('goal_of_session', words(session.goal), allowance.goal, 0.1) : '',
    take('last_summary', wordsOfSummary(lastSummary), allowance.lastSummary, 0.1),
    take(
      'already_recorded',
      lastTitles(recordedTitles, allowance.titles - TITLES_FRAME),
      allowance.titles,
      0.1,
    ),
  ].join('');
  const conversation = writeConversation(batch, allowance, left);
  left -= tokensInRequest(conversation);
  const asked = take('user_prompt', words(prompt), allowance.prompt, 0.3);
  const said = take('closing_message', words(closing?.lastAssistantMessage ?? null), allowance.closing, 0.4);
  const toolUses = writeToolUses(batch.toolUses, session.projectRoot, allowance, left);
  return `${start}${earlier}${conversation}${turnStart}${asked}${toolUses}${said}${end}`;
}

/** Where the work stands: what comes after it must make sense of "go on". */
function wordsOfSummary(summary: SummaryDraft | null): string {
  const parts = [summary?.completed, summary?.learned, summary?.nextSteps].filter((text) => text != null);
  return parts.map(toSingleLine).join('\n');
}

/** The newest titles that fit: only they can be written a second time. */
function lastTitles(titles: readonly string[], most: number): string {
  const lines: string[] = [];
  let tokens = 0;
  for (const title of titles.toReversed()) {
    const line = `- ${toSingleLine(title)}`;
    tokens += tokensInRequest(line) + 1;
    if (tokens > most && lines.length > 0) break;
    lines.unshift(line);
  }
  return lines.join('\n');
}
