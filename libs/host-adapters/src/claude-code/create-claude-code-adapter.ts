import type { AdapterOptions, HostAdapter } from '../host-adapter.js';
import { createRealPathReader } from '../real-path.js';
import { CLAUDE_CODE_EVENTS } from './events.js';
import { claudeCodeInstaller } from './install.js';
import { readClaudeCodeEvent } from './read-event.js';
import { writeClaudeCodeAnswer } from './write-answer.js';

/** Creates the adapter for Claude Code 1.0 and later. */
export function createClaudeCodeAdapter(options: AdapterOptions = {}): HostAdapter {
  const own = { ...options, follow: createRealPathReader() };
  return {
    name: 'claude-code',
    events: CLAUDE_CODE_EVENTS,
    readEvent: (input) => readClaudeCodeEvent(input, own),
    writeAnswer: writeClaudeCodeAnswer,
    ...claudeCodeInstaller,
  };
}
