import type { RecentContext } from '../memory.js';
import type { OpenParts } from './open-parts.js';
import { readCount, requireObject, requireValue } from './read-request.js';

const MAX_SESSIONS = 50;
/** The newest observations of one session. */
const OBSERVATIONS = 100;

/** Null: no such project. */
export async function readRecentContext(
  { store, projects }: OpenParts,
  request: { project: string; sessions?: number },
): Promise<RecentContext | null> {
  requireObject(request);
  const [name = ''] = requireValue('project', request.project);
  const limit = readCount('sessions', request.sessions, 5, MAX_SESSIONS);
  const [project] = await projects.find(name);
  if (!project) return null;
  const { items } = limit === 0 ? { items: [] } : await store.listSessions({ projectId: project.id, limit });
  const summaries = await store.latestSummaries(items.map(({ id }) => id));
  const sessions = await Promise.all(
    items.map(async (session) => ({
      session,
      summary: summaries.find(({ sessionId }) => sessionId === session.id) ?? null,
      observations: (await store.listObservations({ sessionId: session.id, limit: OBSERVATIONS })).items,
    })),
  );
  return { project, sessions };
}
