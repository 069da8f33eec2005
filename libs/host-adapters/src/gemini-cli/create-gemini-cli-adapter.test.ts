import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { HostEvent } from '@claude-mem/core';
import { describe } from 'vitest';
import { describeHost, readHostSamples } from '../testing/index.js';
import { createGeminiCliAdapter } from './create-gemini-cli-adapter.js';
import { GEMINI_CLI_EVENTS } from './events.js';

const captures: Record<string, HostEvent['kind']> = {
  SessionStart: 'session-start',
  BeforeAgent: 'prompt',
  AfterTool: 'tool-use',
  AfterAgent: 'turn-end',
  SessionEnd: 'session-end',
};
const contextEvents = ['SessionStart', 'BeforeAgent'];

describeHost('gemini-cli', {
  open: createGeminiCliAdapter,
  samples: readHostSamples(join(import.meta.dirname, '../__fixtures__/gemini-cli'), GEMINI_CLI_EVENTS),
  captures,
  contextEvents,
});

const recorded = join(import.meta.dirname, '../../../../../shared/clients/payloads/gemini-cli');

describe.skipIf(!existsSync(recorded))(
  'payloads recorded from the real client (skipped when the recordings are missing)',
  () => {
    describeHost('gemini-cli', {
      open: createGeminiCliAdapter,
      samples: readHostSamples(recorded, GEMINI_CLI_EVENTS),
      captures,
      contextEvents,
    });
  },
);
