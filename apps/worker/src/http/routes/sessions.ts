import type { Clock } from '@claude-mem/core';
import type { FastifyInstance } from 'fastify';
import type { NeedMemory } from '../../open-memory.js';
import { bindRoute } from '../bind-route.js';
import { found, toPage } from '../answers.js';

export async function sessionRoutes(
  app: FastifyInstance,
  { memory, clock }: { memory: NeedMemory; clock: Clock },
): Promise<void> {
  bindRoute(app, 'listSessions', async ({ query }) => {
    const { store } = memory();
    const { host = 'claude-code', contentSessionId, ...options } = query ?? {};
    if (contentSessionId === undefined) return toPage(await store.listSessions(options));
    const session = await store.findSession({ host, contentSessionId });
    return { items: session === null ? [] : [session], nextCursor: null };
  });

  bindRoute(app, 'getSession', async ({ params }) =>
    found(await memory().store.getSession(params.id), `session ${params.id}`),
  );

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
