import type { FastifyInstance } from 'fastify';
import type { NeedMemory } from '../../open-memory.js';
import { found, toPage } from '../answers.js';
import { bindRoute } from '../bind-route.js';

/** What is stored: observations, summaries, prompts, projects, counts. */
export async function recordRoutes(app: FastifyInstance, { memory }: { memory: NeedMemory }): Promise<void> {
  bindRoute(app, 'listObservations', async ({ query }) => {
    const { ids, ...filter } = query ?? {};
    const wanted = ids === undefined ? {} : { ids: ids.split(',').map(Number) };
    return toPage(await memory().store.listObservations({ ...filter, ...wanted }));
  });

  bindRoute(app, 'getObservation', async ({ params }) => {
    const { items } = await memory().store.listObservations({ ids: [params.id], limit: 1 });
    return found(items[0] ?? null, `observation ${params.id}`);
  });

  bindRoute(app, 'listSummaries', async ({ query }) =>
    toPage(await memory().store.listSummaries(query ?? {})),
  );
  bindRoute(app, 'listPrompts', async ({ query }) => toPage(await memory().store.listPrompts(query ?? {})));
  bindRoute(app, 'listProjects', async () => ({
    items: [...(await memory().store.listProjects())],
    nextCursor: null,
  }));
  bindRoute(app, 'stats', () => memory().store.stats());
}
