import { expect, it } from 'vitest';
import { FUSION_WEIGHTS, NEIGHBOUR_WEIGHTS } from '../src/fusion/fusion-weights.js';
import { withConstants } from './variants.js';

it('restores the constants when the callback throws', async () => {
  const before = structuredClone({ FUSION_WEIGHTS, NEIGHBOUR_WEIGHTS });
  const work = withConstants({ fusion: { session: 0 }, neighbours: { before: [] } }, () => {
    expect(FUSION_WEIGHTS.session).toBe(0);
    expect(NEIGHBOUR_WEIGHTS.before).toEqual([]);
    return Promise.reject(new Error('the work has failed'));
  });
  await expect(work).rejects.toThrow('the work has failed');
  expect({ FUSION_WEIGHTS, NEIGHBOUR_WEIGHTS }).toEqual(before);
});
