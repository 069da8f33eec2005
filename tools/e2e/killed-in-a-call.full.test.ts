import { MODEL_OBSERVERS, getSkipReason } from '@claude-mem/testing/observers';
import { describe, it } from 'vitest';
import { runScenario } from './run-scenario.js';

const TIMEOUT_MS = 1_200_000;

describe.each(MODEL_OBSERVERS)('a worker that calls the model of the observer %s', (observer) => {
  it.skipIf(getSkipReason(observer) !== null)(
    'P010: loses and duplicates no event, counts the call and leaves no child process when it is killed in 50 calls',
    async () => {
      await runScenario('kill9-provider.mjs', { rounds: 50, provider: observer }, { timeoutMs: TIMEOUT_MS });
    },
    TIMEOUT_MS,
  );
});
