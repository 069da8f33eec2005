import { toSingleLine, type ObserverBatch, type SummaryDraft } from '@claude-mem/core';
import { condenseText } from './condense-text.js';
import { fitEscaped } from './fit-text.js';
import { formatJson } from './format-json.js';
import { escapeAttribute } from './markup.js';
import type { Allowance } from './verbosity.js';
import { writeConversation } from './write-conversation.js';
import { writeToolUses } from './write-tool-uses.js';
import { tokensInRequest } from './tokens-in-request.js';

/** Tokens of the element around the titles. */
const TITLES_FRAME = 12;

/**
 * Formats the state of the session and the turn. Each part fits its allowance, and all parts together fit `room`
 * tokens.
 */
export function writeTurn(batch: ObserverBatch, allowance: Allowance, room: number): string {
  const { session, promptNumber, prompt, recordedTitles, lastSummary, closing } = batch;
  const start = `<session host="${session.host}" project="${escapeAttribute(session.project)}">\n`;
  const turnStart = `<turn number="${promptNumber}">\n`;
  const end = '</turn>\n</session>';
  let remaining = room - tokensInRequest(start + turnStart + end) - 1;

  const add = (name: string, text: string, maxTokens: number, share: number): string => {
    const frame = tokensInRequest(`<${name}></${name}>\n`);
    const content = fitEscaped(text, Math.min(maxTokens, remaining * share) - frame);
    if (content === '') return '';
    remaining -= tokensInRequest(content) + frame;
    return `<${name}>${content}</${name}>\n`;
  };
  const words = (text: string | null) => condenseText(formatJson(text), session.projectRoot);

  const earlier = [
    promptNumber > 1 ? add('goal_of_session', words(session.goal), allowance.goal, 0.1) : '',
    add('last_summary', formatSummary(lastSummary), allowance.lastSummary, 0.1),
    add(
      'already_recorded',
      formatNewestTitles(recordedTitles, allowance.titles - TITLES_FRAME),
      allowance.titles,
      0.1,
    ),
  ].join('');
  const conversation = writeConversation(batch, allowance, remaining);
  remaining -= tokensInRequest(conversation);
  const asked = add('user_prompt', words(prompt), allowance.prompt, 0.3);
  const closingMessage = add(
    'closing_message',
    words(closing?.lastAssistantMessage ?? null),
    allowance.closing,
    0.4,
  );
  const toolUses = writeToolUses(batch.toolUses, session.projectRoot, allowance, remaining);
  return `${start}${earlier}${conversation}${turnStart}${asked}${toolUses}${closingMessage}${end}`;
}

/** Formats the last summary, which gives prompts such as "go on" a meaning. */
function formatSummary(summary: SummaryDraft | null): string {
  const parts = [summary?.completed, summary?.learned, summary?.nextSteps].filter((text) => text != null);
  return parts.map(toSingleLine).join('\n');
}

/** Returns the newest titles that fit. They prevent repeated records. */
function formatNewestTitles(titles: readonly string[], maxTokens: number): string {
  const lines: string[] = [];
  let tokens = 0;
  for (const title of titles.toReversed()) {
    const line = `- ${toSingleLine(title)}`;
    tokens += tokensInRequest(line) + 1;
    if (tokens > maxTokens && lines.length > 0) break;
    lines.unshift(line);
  }
  return lines.join('\n');
}
