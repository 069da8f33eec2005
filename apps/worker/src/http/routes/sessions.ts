import type { Clock } from '@claude-mem/core';
import type { FastifyInstance } from 'fastify';
import type { NeedMemory } from '../../open-memory.js';
import { bindRoute } from '../bind-route.js';
import { found, toPage } from '../answers.js';

/** More open messages than this are not counted one by one. */
const MOST_COUNTED = 5_000;

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
    const open = await messages.list({ sessionId: session.id, limit: MOST_COUNTED });
    const count = (status: string) => open.filter((message) => message.status === status).length;
    const [pending, processing, parked] = [count('pending'), count('processing'), count('parked')];
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
