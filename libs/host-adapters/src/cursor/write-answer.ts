import type { HookAnswer } from '../host-adapter.js';
import { cutToLines } from '../cut-to-lines.js';

const MAX_CONTEXT_LENGTH = 10_000;

/**
 * JSON for the two events whose answer the host reads, nothing for all others. Context goes with the start of a session only;
 * there is no place for a notice to the person that does not stop the prompt.
 */
export function writeCursorAnswer(event: string, { context = '' }: HookAnswer): string {
  if (event === 'sessionStart')
    return JSON.stringify({ additional_context: cutToLines(context, MAX_CONTEXT_LENGTH) });
  return event === 'beforeSubmitPrompt' ? JSON.stringify({ continue: true }) : '';
}
