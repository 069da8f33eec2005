import { HOST_NAMES } from '@claude-mem/core';
import type { RecordFilter, RecordKind } from '@claude-mem/lexical-index';
import type { OpenParts } from './open-parts.js';
import type { ReadRequest } from './read-request.js';

/** Resolves names to ids. Returns null for an unknown project or session, which no record can match. */
export async function resolveFilter(
  parts: Pick<OpenParts, 'store' | 'projects'>,
  request: ReadRequest,
  kinds: readonly RecordKind[],
): Promise<RecordFilter | null> {
  const { projects, session, hosts, types, concepts, files, fromEpoch, toEpoch } = request;
  const filter: RecordFilter = {
    kinds,
    ...(hosts && { hosts }),
    ...(types && { types }),
    ...(concepts && { concepts }),
    ...(files && { files }),
    ...(fromEpoch !== undefined && { fromEpoch }),
    ...(toEpoch !== undefined && { toEpoch }),
  };
  if (projects) {
    const found = (await Promise.all(projects.map((project) => parts.projects.find(project)))).flat();
    if (found.length === 0) return null;
    filter.projectIds = [...new Set(found.map(({ id }) => id))];
  }
  if (session !== undefined) {
    const sessionIds = await findSessions(parts.store, session);
    if (sessionIds.length === 0) return null;
    filter.sessionIds = sessionIds;
  }
  return filter;
}

async function findSessions(store: OpenParts['store'], session: string | number): Promise<readonly number[]> {
  if (typeof session === 'number') return [session];
  const found = await Promise.all(
    HOST_NAMES.map((host) => store.findSession({ host, contentSessionId: session })),
  );
  const ids = found.flatMap((one) => (one ? [one.id] : []));
  return ids.length === 0 && /^\d{1,15}$/.test(session) ? [Number(session)] : ids;
}
