import type { Capture } from '../capture/create-capture.js';
import type { Freshness } from '@claude-mem/freshness';

/** Requests a check of the records of a project after each event of a session. Tool uses are excluded, because there are many. */
export function wakeFreshness(capture: Capture, freshness: Pick<Freshness, 'wake'>): Capture {
  return {
    async take(event, origin) {
      const outcome = await capture.take(event, origin);
      const { root } = outcome.found;
      if (event.kind !== 'tool-use' && outcome.kind === 'committed' && root !== null)
        freshness.wake(outcome.result.projectId, root);
      return outcome;
    },
  };
}
