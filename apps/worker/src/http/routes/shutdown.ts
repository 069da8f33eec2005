import type { FastifyInstance } from 'fastify';
import { bindRoute } from '../bind-route.js';

export async function shutdownRoutes(
  app: FastifyInstance,
  { stop, version, pid }: { stop: () => void; version: string; pid: number },
): Promise<void> {
  bindRoute(app, 'shutdown', async (_input, { reply }) => {
    // after the answer is out, or its connection would be cut
    reply.raw.once('finish', stop);
    return { stopping: true as const, version, pid };
  });
}
