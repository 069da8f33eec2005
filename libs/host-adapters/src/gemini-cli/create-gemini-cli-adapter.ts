import type { AdapterOptions, HostAdapter } from '../host-adapter.js';
import { createRealPathReader } from '../real-path.js';
import { writeContextAnswer } from '../write-context-answer.js';
import { GEMINI_CLI_EVENTS } from './events.js';
import { geminiCliInstaller } from './install.js';
import { readGeminiCliEvent } from './read-event.js';

const EVENTS_WITH_CONTEXT = ['SessionStart', 'BeforeAgent'];

/** Creates the adapter for Gemini CLI. */
export function createGeminiCliAdapter(options: AdapterOptions = {}): HostAdapter {
  const own = { ...options, follow: createRealPathReader() };
  return {
    name: 'gemini-cli',
    events: GEMINI_CLI_EVENTS,
    // The host adds the context of the session start to the first prompt, and drops both when the conversation is
    // resumed.
    takesContextWithPrompt: true,
    readEvent: (input) => readGeminiCliEvent(input, own),
    writeAnswer: (event, answer) => writeContextAnswer(event, answer, EVENTS_WITH_CONTEXT),
    ...geminiCliInstaller,
  };
}
