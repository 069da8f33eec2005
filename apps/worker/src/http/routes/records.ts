import { noSuchProject, projectNamed, type Observation } from '@claude-mem/core';
import type { Memory } from '@claude-mem/search';
import type { FastifyInstance } from 'fastify';
import type { NeedMemory } from '../../open-memory.js';
import { WorkerError } from '../../worker-error.js';
import { found, toPage } from '../answers.js';
import { bindRoute } from '../bind-route.js';
import { toFilter } from '../to-filter.js';

/** Routes for stored observations, summaries, prompts, projects and counts. */
export async function recordRoutes(app: FastifyInstance, { memory }: { memory: NeedMemory }): Promise<void> {
  bindRoute(app, 'listObservations', async ({ query }) => {
    const { ids, projectId, sessionId, limit = 50, cursor, ...rest } = query ?? {};
    const { store, searching, freshness } = memory();
    const filter = toFilter(rest);
    if (Object.keys(filter).length === 0) {
      const page = await store.listObservations({
        limit,
        ...(ids === undefined ? {} : { ids: ids.split(',').map(toId) }),
        ...(projectId === undefined ? {} : { projectId }),
        ...(sessionId === undefined ? {} : { sessionId }),
        ...(cursor === undefined ? {} : { cursor }),
      });
      return toPage({ ...page, items: await freshness.label(page.items) });
    }
    if (ids !== undefined || projectId !== undefined || sessionId !== undefined)
      throw new WorkerError(
        'worker/bad-request',
        'ids, projectId and sessionId go with no other filter; use project and session.',
      );
    const page = await listFiltered(
      await searching.memory(),
      { ...filter, limit: Math.min(limit, MAX_FILTERED) },
      cursor,
    );
    return { ...page, items: [...(await freshness.label(page.items))] };
  });

  bindRoute(app, 'getObservation', async ({ params }) => {
    const { store, freshness } = memory();
    const [item] = await freshness.label(await store.observationsByIds([params.id]));
    const observation = found(item ?? null, `observation ${params.id}`);
    const [project, session, supersedes] = await Promise.all([
      store.getProject(observation.projectId),
      store.getSession(observation.sessionId),
      store.supersededBy(observation.id),
    ]);
    const { host } = found(session, `session ${observation.sessionId}`);
    return { ...observation, project: project?.name ?? '', host, supersedes };
  });

  bindRoute(app, 'listStale', async ({ query = {} }) => {
    const { project, limit = 100 } = query;
    const { store, freshness } = memory();
    const projects = await store.listProjects();
    const named = project === undefined ? null : projectNamed(projects, project);
    if (named === undefined)
      throw new WorkerError('worker/not-found', noSuchProject(project ?? '', projects));
    const names = new Map(projects.map(({ id, name }) => [id, name]));
    const items: Observation[] = [];
    // Verdicts for another commit are skipped.
    for (let offset = 0; items.length < limit; offset += VERDICTS_PER_PAGE) {
      const page = { limit: VERDICTS_PER_PAGE, offset, ...(named && { projectIds: [named.id] }) };
      const rows = await store.listStale(page);
      if (rows.length === 0) break;
      const observations = await store.observationsByIds(rows.map(({ observationId }) => observationId));
      items.push(...(await freshness.label(observations)).filter((one) => one.freshness !== undefined));
    }
    return {
      items: items.slice(0, limit).map((item) => ({ project: names.get(item.projectId) ?? '', item })),
    };
  });

  bindRoute(app, 'listSummaries', async ({ query }) =>
    toPage(await memory().store.listSummaries(query ?? {})),
  );
  bindRoute(app, 'listPrompts', async ({ query }) => toPage(await memory().store.listPrompts(query ?? {})));
  bindRoute(app, 'stats', () => memory().store.stats());
}

const VERDICTS_PER_PAGE = 500;

/** Page size of a search. */
const MAX_FILTERED = 200;

const toId = (text: string) => Number(text.trim().replace(/^#/, ''));

/** The newest records that match the filters. A cursor is the number of previous records. */
async function listFiltered(
  memory: Memory,
  request: Parameters<Memory['search']>[0] & { limit: number },
  cursor: string | undefined,
) {
  if (cursor !== undefined && !/^\d{1,6}$/.test(cursor))
    throw new WorkerError('worker/bad-request', 'The cursor is not one that was given out.');
  const offset = Number(cursor ?? 0);
  const { items, hasMore } = await memory.search({ ...request, offset });
  return {
    items: items.map(({ item }) => item),
    nextCursor: hasMore ? String(offset + request.limit) : null,
  };
}
