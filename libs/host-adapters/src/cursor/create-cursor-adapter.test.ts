import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { HostEvent } from '@claude-mem/core';
import { describe } from 'vitest';
import { describeHost, readHostSamples } from '../testing/index.js';
import { createCursorAdapter } from './create-cursor-adapter.js';
import { CURSOR_EVENTS } from './events.js';

const captures: Record<string, HostEvent['kind']> = {
  sessionStart: 'session-start',
  beforeSubmitPrompt: 'prompt',
  postToolUse: 'tool-use',
  postToolUseFailure: 'tool-use',
  stop: 'turn-end',
  sessionEnd: 'session-end',
};
const contextEvents = ['sessionStart', 'beforeSubmitPrompt'];

describeHost('cursor', {
  open: createCursorAdapter,
  samples: readHostSamples(join(import.meta.dirname, '../__fixtures__/cursor'), CURSOR_EVENTS),
  captures,
  contextEvents,
});

const documented = join(import.meta.dirname, '../../../../../shared/clients/payloads/cursor-documented');

describe.skipIf(!existsSync(documented))(
  'payloads from the documentation (skipped when the files are missing)',
  () => {
    describeHost('cursor', {
      open: createCursorAdapter,
      samples: readHostSamples(documented, CURSOR_EVENTS),
      captures,
      contextEvents,
    });
  },
);
