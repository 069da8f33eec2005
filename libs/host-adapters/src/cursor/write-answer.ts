import type { HookAnswer } from '../host-adapter.js';
import { cutToLines } from '../cut-to-lines.js';

const MAX_CONTEXT_LENGTH = 10_000;

/**
 * Returns JSON for the two events whose response the host reads, and nothing for others. Versions without context for
 * prompts ignore it. A notice to the user would stop the prompt, so there is none.
 */
export function writeCursorAnswer(event: string, { context = '' }: HookAnswer): string {
  const text = cutToLines(context, MAX_CONTEXT_LENGTH);
  if (event === 'sessionStart') return JSON.stringify({ additional_context: text });
  if (event !== 'beforeSubmitPrompt') return '';
  return JSON.stringify({ continue: true, ...(text === '' ? {} : { additional_context: text }) });
}
