import type { FastifyInstance } from 'fastify';
import type { NeedMemory } from '../../open-memory.js';
import { bindRoute } from '../bind-route.js';

/** Routes for the state of the indexes and their rebuild. */
export async function indexRoutes(app: FastifyInstance, { memory }: { memory: NeedMemory }): Promise<void> {
  bindRoute(app, 'indexState', () => memory().searching.state());
  bindRoute(app, 'reindex', async ({ body }) => {
    const { searching } = memory();
    await searching.rebuild(body.part ?? 'all');
    return searching.state();
  });
}
