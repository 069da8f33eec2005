import { toSingleLine, truncate } from '@claude-mem/core';
import { cutToLines } from '../cut-to-lines.js';
import type { HookAnswer } from '../host-adapter.js';
import { ANSWERED_TOOL_EVENTS } from './events.js';

/** The host replaces longer context by a preview of 2 kB. UTF-16 code units. */
const MAX_CONTEXT_LENGTH = 10_000;
const MAX_NOTICE_LENGTH = 1000;
const EVENTS_WITH_CONTEXT = ['SessionStart', 'UserPromptSubmit'];

/**
 * Returns a JSON document for the two events with context, and for a tool result with a response. Returns nothing for
 * other events, because output could stop, block or continue the host's work.
 */
export function writeClaudeCodeAnswer(event: string, { context = '', notice = '' }: HookAnswer): string {
  const toolEvent = Object.hasOwn(ANSWERED_TOOL_EVENTS, event) ? ANSWERED_TOOL_EVENTS[event] : undefined;
  const isWanted = toolEvent === undefined ? EVENTS_WITH_CONTEXT.includes(event) : context !== '';
  if (!isWanted) return '';
  const hookEventName = toolEvent ?? event;
  const message = truncate(toSingleLine(notice), MAX_NOTICE_LENGTH);
  return JSON.stringify({
    hookSpecificOutput: { hookEventName, additionalContext: cutToLines(context, MAX_CONTEXT_LENGTH) },
    ...(message === '' ? {} : { systemMessage: message }),
  });
}
