import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { HostEvent } from '@claude-mem/core';
import { describe } from 'vitest';
import { describeHost, readHostSamples, type HostSample } from '../testing/index.js';
import { createClaudeCodeAdapter } from './create-claude-code-adapter.js';
import { CLAUDE_CODE_EVENTS } from './events.js';

const captures: Record<string, HostEvent['kind']> = {
  SessionStart: 'session-start',
  UserPromptSubmit: 'prompt',
  FileRead: 'tool-use',
  PostToolUse: 'tool-use',
  PostToolUseFailure: 'tool-use',
  Stop: 'turn-end',
  SubagentStop: 'tool-use',
  PreCompact: 'compaction',
  SessionEnd: 'session-end',
};
const contextEvents = ['SessionStart', 'UserPromptSubmit', 'FileRead'];

/** The payload of FileRead is that of PostToolUse. */
const readSamples = (folder: string) => {
  const samples = readHostSamples(folder, CLAUDE_CODE_EVENTS);
  const isRead = ({ event, payload }: HostSample) =>
    event === 'PostToolUse' && (payload as { tool_name?: unknown }).tool_name === 'Read';
  const reads = samples.filter(isRead);
  return [
    ...samples,
    ...reads.map((sample) => ({ ...sample, name: `${sample.name} as FileRead`, event: 'FileRead' })),
  ];
};

describeHost('claude-code', {
  open: createClaudeCodeAdapter,
  samples: readSamples(join(import.meta.dirname, '../__fixtures__/claude-code')),
  captures,
  contextEvents,
});

const recorded = join(import.meta.dirname, '../../../../../shared/clients/payloads/claude-code');

describe.skipIf(!existsSync(recorded))('payloads recorded from real clients (not there: skipped)', () => {
  describeHost('claude-code', {
    open: createClaudeCodeAdapter,
    samples: readSamples(recorded),
    captures,
    contextEvents,
  });
});
