import type { StorageDiagnostic } from '@claude-mem/storage';
import { expect, it } from 'vitest';
import type { OpenMemory } from '../open-memory.js';
import { createHealth } from './create-health.js';

const LARGE_LOG: StorageDiagnostic = {
  code: 'database-large-log',
  severity: 'warning',
  message: 'The write-ahead log of the database has 64 MiB.',
  action: 'Close the program that has claude-mem.db open.',
  notice: 'The write-ahead log of the database has 64 MiB. Close the program that has claude-mem.db open.',
};

it('R25: includes a large write-ahead log in the notices that the status command prints', async () => {
  const memory = {
    storage: { health: () => ({ status: 'ok', diagnostics: [LARGE_LOG] }) },
    messages: { counts: async () => ({ pending: 0, processing: 0, parked: 0, orphans: 0 }) },
    observer: { notices: () => [], state: () => ({}) },
    contextFiles: { problems: () => [] },
    searching: { diagnostics: async () => [] },
    commit: { problem: () => null },
  } as unknown as OpenMemory;
  const health = createHealth({
    version: '0.0.0-test',
    pid: 1,
    startedAt: 0,
    now: () => 0,
    dataDir: '/data',
    logFile: () => null,
    readiness: () => ({ state: 'ready', reason: null }),
    memory: () => memory,
    socket: () => null,
    tcp: () => ({ isListening: false, host: '127.0.0.1', port: null, problem: null }),
    spool: async () => ({ waiting: 0, rejected: 0 }),
    counters: { stored: 0 },
    residentBytes: () => 0,
    diagnostics: () => [],
  } as unknown as Parameters<typeof createHealth>[0]);
  expect(await health.brief()).toMatchObject({ status: 'degraded', notices: [LARGE_LOG.notice] });
});
