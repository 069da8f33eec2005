import type { AdapterOptions, HostAdapter } from '../host-adapter.js';
import { createRealPathReader } from '../real-path.js';
import { writeContextAnswer } from '../write-context-answer.js';
import { GEMINI_CLI_EVENTS } from './events.js';
import { geminiCliInstaller } from './install.js';
import { readGeminiCliEvent } from './read-event.js';

const EVENTS_WITH_CONTEXT = ['SessionStart', 'BeforeAgent'];

/** The adapter for Gemini CLI. */
export function createGeminiCliAdapter(options: AdapterOptions = {}): HostAdapter {
  const own = { ...options, follow: createRealPathReader() };
  return {
    name: 'gemini-cli',
    events: GEMINI_CLI_EVENTS,
    // what it is given at the start it puts before the first prompt, and leaves both out when the conversation is resumed
    takesContextWithPrompt: true,
    readEvent: (input) => readGeminiCliEvent(input, own),
    writeAnswer: (event, answer) => writeContextAnswer(event, answer, EVENTS_WITH_CONTEXT),
    ...geminiCliInstaller,
  };
}
