import { systemClock, type Observation } from '@claude-mem/core';
import { loadSettings } from '@claude-mem/settings';
import { expect, it } from 'vitest';
import { createSessionContext } from './create-session-context.js';
import { createSessionLedger } from './create-session-ledger.js';

const START = {
  kind: 'session-start',
  source: 'startup',
  host: 'cursor',
  contentSessionId: 'c-1',
  cwd: '/repos/shop',
  projectDir: '/repos/shop',
  promptId: null,
  agentId: null,
  agentType: null,
} as const;
const RECORD: Partial<Observation> = {
  id: 7,
  sessionId: 1,
  type: 'bugfix',
  title: 'The tax came twice',
  facts: [],
  filesRead: [],
  filesModified: [],
  concepts: [],
  narrative: null,
  subtitle: null,
  pinned: false,
  supersededBy: null,
  createdAtEpoch: 1_000,
};

it.each([
  { written: 'before it starts', isGiven: false },
  { written: 'while it starts', isGiven: true },
])(
  'injects a record when the context file that contains it is written $written: $isGiven',
  async ({ written, isGiven }) => {
    const { settings } = loadSettings({ env: {}, home: '/home/nobody-here' });
    let isWritten = written === 'before it starts';
    const context = createSessionContext({
      freshness: { label: async (records) => records },
      store: {
        getProject: async () => null,
        findProject: async () => null,
        listObservations: async () => ({ items: [], nextCursor: null }),
        listSessions: async () => ({ items: [], nextCursor: null }),
        async contextMaterial() {
          isWritten = true;
          return {
            summaries: [],
            pinned: [],
            decisions: [],
            observations: [RECORD as Observation],
            totalObservations: 1,
          };
        },
      },
      providedTo: () => (isWritten ? { shown: [7], tokens: 9, text: 'The tax came twice' } : null),
      branchFiles: async () => [],
      branchRecords: async () => [],
      observePending: async () => undefined,
      settings: () => settings,
      ledger: createSessionLedger(),
      launcher: 'claude-mem',
      clock: systemClock,
    });
    const found = {
      project: { key: '/repos/shop', name: 'shop' },
      root: '/repos/shop',
      isExcluded: false,
    };
    const given = await context.contextFor(START, {
      result: { kind: 'stored', projectId: 1, sessionId: 2 },
      found,
    });
    expect(given?.text.includes('The tax came twice') ?? false).toBe(isGiven);
  },
);
