import type { FastifyInstance } from 'fastify';
import type { StreamHub } from '../../stream/create-stream-hub.js';
import { WorkerError } from '../../worker-error.js';
import { bindRoute } from '../bind-route.js';

export async function streamRoutes(app: FastifyInstance, { hub }: { hub: StreamHub }): Promise<void> {
  bindRoute(app, 'stream', async ({ query }, { request, reply }) => {
    const lastEventId = request.headers['last-event-id'] ?? query?.lastEventId;
    const response = reply.raw;
    response.setHeader('content-type', 'text/event-stream; charset=utf-8');
    response.setHeader('x-accel-buffering', 'no');
    const isAttached = hub.attach(response, {
      lastEventId: typeof lastEventId === 'string' ? lastEventId : null,
    });
    if (!isAttached) {
      response.removeHeader('content-type');
      throw new WorkerError('worker/busy', 'Too many streams are open.');
    }
    reply.hijack();
  });
}
