import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { HostEvent } from '@claude-mem/core';
import { describe } from 'vitest';
import { describeHost, readHostSamples } from '../testing/index.js';
import { createCodexAdapter } from './create-codex-adapter.js';
import { CODEX_EVENTS } from './events.js';

const captures: Record<string, HostEvent['kind']> = {
  SessionStart: 'session-start',
  UserPromptSubmit: 'prompt',
  PostToolUse: 'tool-use',
  Stop: 'turn-end',
  SessionEnd: 'session-end',
};
const contextEvents = ['SessionStart', 'UserPromptSubmit'];

describeHost('codex', {
  open: createCodexAdapter,
  samples: readHostSamples(join(import.meta.dirname, '../__fixtures__/codex'), CODEX_EVENTS),
  captures,
  contextEvents,
});

const recorded = join(import.meta.dirname, '../../../../../shared/clients/payloads/codex');

describe.skipIf(!existsSync(recorded))(
  'payloads recorded from the real client (skipped when the recordings are missing)',
  () => {
    describeHost('codex', {
      open: createCodexAdapter,
      samples: readHostSamples(recorded, CODEX_EVENTS),
      captures,
      contextEvents,
    });
  },
);
