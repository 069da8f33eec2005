import { describe, it } from 'vitest';
import { runScenario } from './run-scenario.js';

describe('a worker that is killed during a call to a model', () => {
  it('P010: loses and duplicates no event, counts the call and leaves no child process when it is killed in each phase of a call', async () => {
    // Each observer is killed in one phase. All observers together cover all phases.
    await runScenario('kill9-provider.mjs', { rounds: 1 });
  }, 120_000);
});
