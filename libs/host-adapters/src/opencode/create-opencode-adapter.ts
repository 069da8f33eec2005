import { cutToLines } from '../cut-to-lines.js';
import type { AdapterOptions, HookAnswer, HostAdapter } from '../host-adapter.js';
import { createRealPathReader } from '../real-path.js';
import { OPENCODE_EVENTS } from './events.js';
import { openCodeInstaller } from './install.js';
import { readOpenCodeEvent } from './read-event.js';

const EVENTS_WITH_CONTEXT = ['sessionStart', 'chatMessage'];
const MAX_CONTEXT_LENGTH = 10_000;

/** Creates the adapter for OpenCode, which uses our plugin. */
export function createOpenCodeAdapter(options: AdapterOptions = {}): HostAdapter {
  const own = { ...options, follow: createRealPathReader() };
  return {
    name: 'opencode',
    events: OPENCODE_EVENTS,
    readEvent: (input) => readOpenCodeEvent(input, own),
    writeAnswer,
    ...openCodeInstaller,
  };
}

/** Our plugin reads this and adds it to the system prompt of each request. */
function writeAnswer(event: string, { context = '' }: HookAnswer): string {
  return EVENTS_WITH_CONTEXT.includes(event)
    ? JSON.stringify({ context: cutToLines(context, MAX_CONTEXT_LENGTH) })
    : '';
}
