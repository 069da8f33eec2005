import type { Clock } from '@claude-mem/core';
import type { FastifyInstance } from 'fastify';
import type { NeedMemory } from '../../open-memory.js';
import { bindRoute } from '../bind-route.js';

export async function queueRoutes(
  app: FastifyInstance,
  { memory, clock, onQueueChanged }: { memory: NeedMemory; clock: Clock; onQueueChanged: () => void },
): Promise<void> {
  bindRoute(app, 'listQueue', async ({ query }) => {
    const { limit = 100, ...filter } = query ?? {};
    const items = await memory().messages.list({ ...filter, limit });
    const last = items.at(-1);
    return {
      items: [...items],
      nextCursor: items.length < limit || last === undefined ? null : String(last.id),
    };
  });

  bindRoute(app, 'retryMessages', async ({ body }) => {
    const { messages, observing } = memory();
    const changed = await messages.retry(body, clock.now());
    observing.resume();
    onQueueChanged();
    return { changed };
  });

  bindRoute(app, 'dropMessages', async ({ body }) => {
    const changed = await memory().messages.drop(body, { now: clock.now(), reason: 'dropped by hand' });
    onQueueChanged();
    return { changed };
  });
}
