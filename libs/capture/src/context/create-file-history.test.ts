import { systemClock, type Observation } from '@claude-mem/core';
import { loadSettings } from '@claude-mem/settings';
import { expect, it } from 'vitest';
import { createFileHistory } from './create-file-history.js';
import { createSessionLedger } from './create-session-ledger.js';

const QUESTION = {
  host: 'claude-code',
  contentSessionId: 's-1',
  cwd: '/repos/shop',
  projectDir: '/repos/shop',
  agentId: null,
  path: '/repos/shop/src/cart.ts',
} as const;
const RECORD: Partial<Observation> = {
  id: 7,
  sessionId: 1,
  type: 'bugfix',
  title: 'The tax came twice',
  facts: [],
  filesRead: [],
  filesModified: ['src/cart.ts'],
  subtitle: null,
  narrative: 'It was added in the cart and at the till.',
  concepts: [],
  pinned: false,
  supersededBy: null,
  createdAtEpoch: 1_000,
};

it('injects the file history at the next read when the first response was too late', async () => {
  const hit = { item: RECORD as Observation, project: 'shop', host: 'cursor' as const, score: 0 };
  const { settings } = loadSettings({ env: {}, home: '/home/nobody-here' });
  const history = createFileHistory({
    freshness: { label: async (records) => records },
    memory: async () => ({
      findByFile: async () => ({ items: [hit], strategy: 'filters', degraded: [], hasMore: false }),
    }),
    store: { findSession: async () => null },
    findProject: () => ({
      project: { key: '/repos/shop', name: 'shop' },
      root: '/repos/shop',
      isExcluded: false,
    }),
    settings: () => settings,
    ledger: createSessionLedger(),
    launcher: 'claude-mem',
    clock: systemClock,
  });
  expect(await history.injectionFor(QUESTION, AbortSignal.abort())).toBeNull();
  const { signal } = new AbortController();
  expect((await history.injectionFor(QUESTION, signal))?.text).toContain('The tax came twice');
  expect(await history.injectionFor(QUESTION, signal)).toBeNull();
});
