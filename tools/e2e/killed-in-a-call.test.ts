import { describe, it } from 'vitest';
import { runScenario } from './run-scenario.js';

describe('a worker that is killed in the middle of a call to a model', () => {
  it('P010: loses and doubles nothing, counts the call and leaves no child when it is killed in each phase of a call', async () => {
    // one phase for each observer; all observers together cover all phases
    await runScenario('kill9-provider.mjs', { rounds: 1 });
  }, 120_000);
});
