import type { Clock } from '@claude-mem/core';
import type { FastifyInstance } from 'fastify';
import type { NeedMemory } from '../../open-memory.js';
import { describeMessages } from '../../queue/describe-messages.js';
import { bindRoute } from '../bind-route.js';

export async function queueRoutes(
  app: FastifyInstance,
  { memory, clock, onQueueChanged }: { memory: NeedMemory; clock: Clock; onQueueChanged: () => void },
): Promise<void> {
  bindRoute(app, 'listQueue', async ({ query }) => {
    const { limit = 100, cursor, ...filter } = query ?? {};
    const { store, messages, observer } = memory();
    const after = cursor === undefined ? {} : { afterId: Number(cursor) };
    const [found, turns] = await Promise.all([
      messages.list({ ...filter, ...after, limit }),
      messages.waitingTurns(),
    ]);
    const { problem } = observer.state();
    const last = found.at(-1);
    return {
      items: await describeMessages(found, { store, turns, problem, now: clock.now() }),
      nextCursor: found.length < limit || last === undefined ? null : String(last.id),
    };
  });

  bindRoute(app, 'retryMessages', async ({ body }) => {
    const { messages, observer } = memory();
    const changed = await messages.retry(body, clock.now());
    observer.resume();
    onQueueChanged();
    return { changed };
  });

  bindRoute(app, 'dropMessages', async ({ body }) => {
    const changed = await memory().messages.drop(body, { now: clock.now(), reason: 'dropped by hand' });
    onQueueChanged();
    return { changed };
  });
}
