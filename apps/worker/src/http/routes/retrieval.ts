import type { FastifyInstance } from 'fastify';
import type { ProjectFinder } from '../../capture/create-project-finder.js';
import type { NeedMemory } from '../../open-memory.js';
import { bindRoute } from '../bind-route.js';

const NOTHING = { text: '', tokens: 0, shown: [], leftOut: [] };

/** Giving it back: search, and what a session would be told. */
export async function retrievalRoutes(
  app: FastifyInstance,
  { memory, findProject }: { memory: NeedMemory; findProject: ProjectFinder },
): Promise<void> {
  bindRoute(app, 'search', async ({ query }) => {
    const { store } = memory();
    const { query: words, project, limit = 20 } = query;
    if (project === undefined)
      return { items: [...(await store.searchLexical({ query: words, limit }))], nextCursor: null };
    const known = (await store.listProjects()).find(({ key, name }) => key === project || name === project);
    if (known === undefined) return { items: [], nextCursor: null };
    const hits = await store.searchLexical({ query: words, projectId: known.id, limit });
    return { items: [...hits], nextCursor: null };
  });

  bindRoute(app, 'previewContext', async ({ query }) => {
    const { context } = memory();
    const found = findProject({ projectDir: null, cwd: query?.cwd ?? null });
    const project = found.project ?? { key: '', name: '' };
    const isKnown = found.project !== null && !found.isExcluded;
    const rendered = (isKnown ? await context.preview(project) : null) ?? NOTHING;
    const { text, tokens, shown, leftOut } = rendered;
    return {
      project: { key: project.key, name: project.name },
      text,
      tokens,
      shown: [...shown],
      leftOut: [...leftOut],
    };
  });
}
