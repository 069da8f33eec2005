import { projectNamed, type Clock, type HostName, type Session, type UsageRow } from '@claude-mem/core';
import type { SessionRow } from '@claude-mem/worker-protocol';
import type { FastifyInstance } from 'fastify';
import { listHoldoutSessions } from '../../evaluation/list-holdout-sessions.js';
import { describeInjections } from '../../evaluation/describe-injections.js';
import type { NeedMemory } from '../../open-memory.js';
import { bindRoute } from '../bind-route.js';
import { found } from '../answers.js';
import { someOf } from '../to-filter.js';

export async function sessionRoutes(
  app: FastifyInstance,
  { memory, clock }: { memory: NeedMemory; clock: Clock },
): Promise<void> {
  bindRoute(app, 'listSessions', async ({ query }) => {
    const { store } = memory();
    const { host, contentSessionId, project, ...options } = query ?? {};
    const hosts: readonly HostName[] = someOf(host);
    if (contentSessionId !== undefined) {
      const session = await store.findSession({ host: hosts[0] ?? 'claude-code', contentSessionId });
      return { items: await toRows(session === null ? [] : [session]), nextCursor: null };
    }
    const named = project === undefined ? [] : someOf(project);
    const projects = named.length === 0 ? null : await store.listProjects();
    const projectIds = projects?.filter(({ key, name }) => named.includes(key) || named.includes(name));
    const page = await store.listSessions({
      ...options,
      ...(hosts.length > 0 && { hosts }),
      ...(projectIds && { projectIds: projectIds.map(({ id }) => id) }),
    });
    return { items: await toRows(page.items), nextCursor: page.nextCursor };
  });

  const toRows = async (sessions: readonly Session[]): Promise<SessionRow[]> => {
    const { store } = memory();
    const [counted, projects] = await Promise.all([
      store.sessionCounts(sessions.map(({ id }) => id)),
      store.listProjects(),
    ]);
    const counts = new Map(counted.map((one) => [one.sessionId, one]));
    const names = new Map(projects.map(({ id, name }) => [id, name]));
    return sessions.map((session) => {
      const { prompts = 0, observations = 0, waiting = 0 } = counts.get(session.id) ?? {};
      return { ...session, project: names.get(session.projectId) ?? '', prompts, observations, waiting };
    });
  };

  bindRoute(app, 'sessionDetail', async ({ params }) => {
    const { store, messages } = memory();
    const session = found(await store.getSession(params.id), `session ${params.id}`);
    const { id, projectId } = session;
    const [project, [counted], toolUses, byProvider, [total], waiting] = await Promise.all([
      store.getProject(projectId),
      store.sessionCounts([id]),
      store.toolUses(id),
      store.usage({ by: 'provider', sessionId: id, limit: MOST_PROVIDERS }),
      store.usage({ by: 'total', sessionId: id }),
      messages.counts({ sessionId: id }),
    ]);
    const { prompts = 0, observations = 0, summaries = 0 } = counted ?? {};
    const { key, name } = found(project, `project ${projectId}`);
    const { pending, processing, parked } = waiting;
    return {
      session,
      project: { id: projectId, key, name },
      counts: { prompts, observations, summaries },
      toolUses: toolUses && [...toolUses],
      usage: {
        ...spentOf(total),
        byProvider: byProvider.map((row) => ({
          provider: row.provider ?? '',
          model: row.model,
          ...spentOf(row),
        })),
      },
      queue: { pending, processing, parked },
    };
  });

  bindRoute(app, 'getSession', async ({ params }) =>
    found(await memory().store.getSession(params.id), `session ${params.id}`),
  );

  bindRoute(app, 'holdoutSessions', async ({ query }) => {
    const { store, contextFiles } = memory();
    const { project, fromEpoch = 0 } = query ?? {};
    const named = project === undefined ? null : projectNamed(await store.listProjects(), project);
    const projectIds = named === undefined ? [] : named && [named.id];
    return listHoldoutSessions({ store, contextFiles }, { fromEpoch, ...(projectIds && { projectIds }) });
  });

  bindRoute(app, 'sessionInjections', async ({ params }) => {
    const { store } = memory();
    return describeInjections(store, found(await store.getSession(params.id), `session ${params.id}`));
  });

  bindRoute(app, 'replaySession', async ({ params, query }) => {
    const { store, replay } = memory();
    const session = found(await store.getSession(params.id), `session ${params.id}`);
    return { prompts: [...(await replay(session, { limit: query?.limit ?? MOST_PROMPTS }))] };
  });

  bindRoute(app, 'getSessionStatus', async ({ params }) => {
    const { store, messages } = memory();
    const session = found(await store.getSession(params.id), `session ${params.id}`);
    const { pending, processing, parked } = await messages.counts({ sessionId: session.id });
    return {
      sessionId: session.id,
      status: session.status,
      isProcessing: pending + processing > 0,
      pending,
      processing,
      parked,
      lastActivityEpoch: session.lastActivityEpoch,
    };
  });

  bindRoute(app, 'abortSession', async ({ params }) => {
    const request = { now: clock.now(), reason: 'session ended by hand' };
    return { changed: found(await memory().store.abortSession(params.id, request), `session ${params.id}`) };
  });
}

const MOST_PROVIDERS = 20;
const MOST_PROMPTS = 500;

function spentOf(row: UsageRow | undefined) {
  const {
    calls = 0,
    inputTokens = 0,
    outputTokens = 0,
    cachedTokens = 0,
    estimatedCostUsd = 0,
  }: Partial<UsageRow> = row ?? {};
  return { calls, inputTokens, outputTokens, cachedTokens, estimatedCostUsd };
}
