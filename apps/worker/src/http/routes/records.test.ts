import type { ObservationFreshness, Store } from '@claude-mem/core';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import type { OpenMemory } from '../../open-memory.js';
import { recordRoutes } from './records.js';

it('lists an outdated record when many newer verdicts belong to another commit', async () => {
  const ids = Array.from({ length: 1_201 }, (_, index) => 1_201 - index);
  const store: Pick<Store, 'listProjects' | 'listStale' | 'observationsByIds'> = {
    listProjects: async () => [],
    listStale: async ({ limit, offset = 0 }) =>
      ids.slice(offset, offset + limit).map((observationId) => ({ observationId }) as ObservationFreshness),
    observationsByIds: async (requested) => requested.map((id) => ({ id, projectId: 1 }) as never),
  };
  const label = async (records: readonly { id: number }[]) =>
    records.map((record) => (record.id === 1 ? { ...record, freshness: { verdict: 'gone' } } : record));
  const app = fastify();
  await recordRoutes(app, { memory: () => ({ store, freshness: { label } }) as unknown as OpenMemory });
  const reply = await app.inject('/api/stale?limit=5');
  expect(reply.json()).toMatchObject({ items: [{ item: { id: 1 } }] });
  await app.close();
});
