import type { HookAnswer } from '../host-adapter.js';
import { cutToLines } from '../cut-to-lines.js';

const MAX_CONTEXT_LENGTH = 10_000;

/**
 * JSON for the two events whose answer the host reads, nothing for all others. Versions that take no context with a prompt leave it
 * out; there is no place for a notice to the person that does not stop the prompt.
 */
export function writeCursorAnswer(event: string, { context = '' }: HookAnswer): string {
  const text = cutToLines(context, MAX_CONTEXT_LENGTH);
  if (event === 'sessionStart') return JSON.stringify({ additional_context: text });
  if (event !== 'beforeSubmitPrompt') return '';
  return JSON.stringify({ continue: true, ...(text === '' ? {} : { additional_context: text }) });
}
