import type { Observation } from '@claude-mem/core';
import type { VectorIndex } from '../ports/vector-index.js';

/** An index that finds these observations for any query, in this order, and knows nothing of filters. */
export function nearestOf(
  observations: readonly Pick<Observation, 'id'>[],
  more: Partial<VectorIndex> = {},
): VectorIndex {
  const close = async () => undefined;
  return {
    name: 'fake',
    upsert: async () => undefined,
    remove: async () => undefined,
    nearest: async ({ limit }) =>
      observations.slice(0, limit).map(({ id }, place) => ({
        id: `obs_${id}_narrative`,
        observationId: id,
        score: 0.9 - place * 0.01,
      })),
    count: async () => observations.length,
    clear: async () => undefined,
    close,
    [Symbol.asyncDispose]: close,
    ...more,
  };
}
