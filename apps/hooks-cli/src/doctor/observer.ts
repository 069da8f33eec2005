import { observerChain } from '@claude-mem/settings';
import { findObserverProblems } from '../find-observer-problems.js';
import { fail, ok, warn, type Check } from './check.js';
import { actionFor } from './health-problems.js';

/** Checks that the configured observers have their settings and programs. Sends no network requests. */
export const observerCheck: Check = {
  title: 'observer',
  run(context) {
    const { health, loaded } = context;
    const chain = observerChain(loaded.settings);
    const running = health?.ready === true && health.observer.problem === undefined ? health.observer : null;
    // a running worker can have a key from its own environment
    const problems = findObserverProblems(context).filter(
      ({ kind }) => running === null || kind === 'program',
    );
    if (problems.length > 0) {
      const detail = problems.map(({ observer, reason }) => `${observer} ${reason}`).join('; ');
      const fix = `Run: ${problems.map((problem) => problem.fix).join('; and: ')}`;
      const isAnyReady = chain.some((name) => !problems.some(({ observer }) => observer === name));
      return isAnyReady
        ? warn(detail, fix)
        : fail(`${detail}; events wait in the queue until this is fixed`, fix);
    }
    if (health?.observer.problem !== undefined)
      return warn(health.observer.problem, actionFor(['observer-held-back', 'budget-used-up'], health));
    if (running === null) return ok(`${chain.join(', then ')} (checked when the worker runs)`);
    return ok(running.model ? `${running.provider} (${running.model})` : running.provider);
  },
};
