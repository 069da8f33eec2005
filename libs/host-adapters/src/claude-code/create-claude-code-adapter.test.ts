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
  ToolResult: 'tool-use',
  ToolFailure: 'tool-use',
  Stop: 'turn-end',
  SubagentStop: 'tool-use',
  PreCompact: 'compaction',
  SessionEnd: 'session-end',
};
const contextEvents = ['SessionStart', 'UserPromptSubmit', 'FileRead', 'ToolResult', 'ToolFailure'];

/** The payloads of our own event names are those of PostToolUse and PostToolUseFailure. */
const readSamples = (folder: string) => {
  const samples = readHostSamples(folder, CLAUDE_CODE_EVENTS);
  const isRead = ({ payload }: HostSample) => (payload as { tool_name?: unknown }).tool_name === 'Read';
  const under = (name: string, some: readonly HostSample[]) =>
    some.map((sample) => ({ ...sample, name: `${sample.name} as ${name}`, event: name }));
  const results = samples.filter(({ event }) => event === 'PostToolUse');
  const failures = samples.filter(({ event }) => event === 'PostToolUseFailure');
  return [
    ...samples,
    ...under('FileRead', results.filter(isRead)),
    ...under('ToolResult', results),
    ...under('ToolFailure', failures),
  ];
};

describeHost('claude-code', {
  open: createClaudeCodeAdapter,
  samples: readSamples(join(import.meta.dirname, '../__fixtures__/claude-code')),
  captures,
  contextEvents,
});

const recorded = join(import.meta.dirname, '../../../../../shared/clients/payloads/claude-code');

describe.skipIf(!existsSync(recorded))(
  'payloads recorded from real clients (skipped when the recordings are missing)',
  () => {
    describeHost('claude-code', {
      open: createClaudeCodeAdapter,
      samples: readSamples(recorded),
      captures,
      contextEvents,
    });
  },
);
