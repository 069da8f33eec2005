import { setImmediate } from 'node:timers/promises';
import { noopLogger, systemClock } from '@claude-mem/core';
import { expect, it } from 'vitest';
import { nearestOf } from '../__fixtures__/nearest-of.js';
import { createHashingEmbedder } from '../testing/create-hashing-embedder.js';
import { createBreaker } from './breaker.js';
import { searchByMeaning } from './semantic-search.js';

const TURNS = 50;
const MORE_THAN_ENOUGH = 10 * TURNS;

it('does not block a running query of the index when searches are repeated while it is busy', async () => {
  await using index = nearestOf([], {
    async nearest() {
      for (let turn = 0; turn < TURNS; turn += 1) await setImmediate();
      return [];
    },
  });
  const breaker = createBreaker({
    name: 'vector index',
    clock: systemClock,
    logger: noopLogger,
    timeoutMs: 60_000,
  });
  const parts = {
    embedder: createHashingEmbedder(),
    vectorOf: async () => new Float32Array([1, 0]),
    index,
    breaker,
  };
  const ask = () => searchByMeaning(parts, { query: 'webhook', filter: {}, limit: 1 });
  const first = Promise.all(Array.from({ length: 8 }, ask));
  await setImmediate();
  let times = 0;
  while (breaker.problem() !== null && times < MORE_THAN_ENOUGH) {
    await ask();
    times += 1;
  }
  expect(times).toBeGreaterThan(0);
  expect(times).toBeLessThan(MORE_THAN_ENOUGH);
  await first;
});
