import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { HostEvent } from '@claude-mem/core';
import { describe } from 'vitest';
import { describeHost, readHostSamples } from '../testing/index.js';
import { createClaudeCodeAdapter } from './create-claude-code-adapter.js';
import { CLAUDE_CODE_EVENTS } from './events.js';

const captures: Record<string, HostEvent['kind']> = {
  SessionStart: 'session-start',
  UserPromptSubmit: 'prompt',
  PostToolUse: 'tool-use',
  PostToolUseFailure: 'tool-use',
  Stop: 'turn-end',
  SubagentStop: 'tool-use',
  PreCompact: 'compaction',
  SessionEnd: 'session-end',
};
const questions = ['PreToolUse'];
const contextEvents = ['SessionStart', 'UserPromptSubmit', 'PreToolUse'];

describeHost('claude-code', {
  open: createClaudeCodeAdapter,
  samples: readHostSamples(join(import.meta.dirname, '../__fixtures__/claude-code'), CLAUDE_CODE_EVENTS),
  captures,
  questions,
  contextEvents,
});

const recorded = join(import.meta.dirname, '../../../../../shared/clients/payloads/claude-code');

describe.skipIf(!existsSync(recorded))('payloads recorded from real clients (not there: skipped)', () => {
  describeHost('claude-code', {
    open: createClaudeCodeAdapter,
    samples: readHostSamples(recorded, CLAUDE_CODE_EVENTS),
    captures,
    questions,
    contextEvents,
  });
});
