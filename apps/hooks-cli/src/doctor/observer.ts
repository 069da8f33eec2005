import { observerChain } from '@claude-mem/settings';
import { observerTroubles } from '../observer-troubles.js';
import { fail, ok, warn, type Check } from './check.js';
import { actionAgainst } from './problems.js';

/** Whether the chosen observers have what they need. Nobody is asked over the network. */
export const observerCheck: Check = {
  title: 'observer',
  run(examination) {
    const { health, loaded } = examination;
    const chain = observerChain(loaded.settings);
    const atWork = health?.ready === true && health.observer.problem === undefined ? health.observer : null;
    // a worker at work may have a key from its own environment
    const troubles = observerTroubles(examination).filter(
      ({ kind }) => atWork === null || kind === 'program',
    );
    if (troubles.length > 0) {
      const detail = troubles.map(({ observer, what }) => `${observer} ${what}`).join('; ');
      const fix = `Run: ${troubles.map((trouble) => trouble.fix).join('; and: ')}`;
      const isAnyReady = chain.some((name) => !troubles.some(({ observer }) => observer === name));
      return isAnyReady ? warn(detail, fix) : fail(`${detail}; events wait until then`, fix);
    }
    if (health?.observer.problem !== undefined)
      return warn(health.observer.problem, actionAgainst(['observer-held-back', 'budget-used-up'], health));
    if (atWork === null) return ok(`${chain.join(', then ')} (checked when the worker runs)`);
    return ok(atWork.model ? `${atWork.provider} (${atWork.model})` : atWork.provider);
  },
};
