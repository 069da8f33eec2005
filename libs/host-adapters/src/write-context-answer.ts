import { toSingleLine, truncate } from '@claude-mem/core';
import { cutToLines } from './cut-to-lines.js';
import type { HookAnswer } from './host-adapter.js';

/** Longer context is replaced by a stub in some hosts and floods the conversation in all. UTF-16 code units. */
const MAX_CONTEXT_LENGTH = 10_000;
const MAX_NOTICE_LENGTH = 1000;

/**
 * Returns one JSON document in the format that Codex, Gemini CLI and Claude Code share. Returns an empty string for events that do
 * not accept context. Omits an empty context, because the host would add it to the conversation.
 */
export function writeContextAnswer(
  event: string,
  { context = '', notice = '' }: HookAnswer,
  eventsWithContext: readonly string[],
): string {
  if (!eventsWithContext.includes(event)) return '';
  const text = cutToLines(context, MAX_CONTEXT_LENGTH);
  const message = truncate(toSingleLine(notice), MAX_NOTICE_LENGTH);
  return JSON.stringify({
    ...(text === '' ? {} : { hookSpecificOutput: { hookEventName: event, additionalContext: text } }),
    ...(message === '' ? {} : { systemMessage: message }),
  });
}
