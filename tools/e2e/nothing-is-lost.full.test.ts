import { sharedFolder } from '@claude-mem/testing';
import { describe, it } from 'vitest';
import { runScenario } from './run-scenario.js';

const TIMEOUT_MS = 1_200_000;

const hasRecordings = sharedFolder(process.env) !== null;

describe('event storage', () => {
  it.each([
    ['generated', { synthetic: true }],
    ...(hasRecordings ? ([['recorded', {}]] as const) : []),
  ] as const)(
    'P003: stores every event once and leaves no process when the worker is killed during 50 %s sessions',
    async (_, sessions) => {
      await runScenario('kill9.mjs', { ...sessions, rounds: 50 }, { timeoutMs: TIMEOUT_MS });
    },
    TIMEOUT_MS,
  );

  it.runIf(hasRecordings)(
    'P001 P002: records one outcome for every event and changes nothing when a recorded session is sent again',
    async () => {
      await runScenario('replay.mjs', {}, { operands: ['cc-1.x-short'] });
    },
    120_000,
  );
});
