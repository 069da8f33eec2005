import type { FastifyInstance } from 'fastify';
import { bindRoute } from '../bind-route.js';

export async function shutdownRoutes(
  app: FastifyInstance,
  { stop, version, pid }: { stop: () => void; version: string; pid: number },
): Promise<void> {
  bindRoute(app, 'shutdown', async (_input, { reply }) => {
    // After the response was sent, because the shutdown would close its connection.
    reply.raw.once('finish', stop);
    return { stopping: true as const, version, pid };
  });
}
