import type { AdapterOptions, HostAdapter } from '../host-adapter.js';
import { createRealPathReader } from '../real-path.js';
import { writeContextAnswer } from '../write-context-answer.js';
import { CODEX_EVENTS } from './events.js';
import { codexInstaller } from './install.js';
import { readCodexEvent } from './read-event.js';

const EVENTS_WITH_CONTEXT = ['SessionStart', 'UserPromptSubmit'];

/** Creates the adapter for Codex. */
export function createCodexAdapter(options: AdapterOptions = {}): HostAdapter {
  const own = { ...options, follow: createRealPathReader() };
  return {
    name: 'codex',
    events: CODEX_EVENTS,
    readEvent: (input) => readCodexEvent(input, own),
    writeAnswer: (event, answer) => writeContextAnswer(event, answer, EVENTS_WITH_CONTEXT),
    ...codexInstaller,
  };
}
