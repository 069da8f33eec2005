import type { FastifyInstance } from 'fastify';
import type { HealthReport } from '../../lifecycle/create-health.js';
import { bindRoute } from '../bind-route.js';
import { callerOf } from '../caller.js';

export async function healthRoutes(
  app: FastifyInstance,
  { health }: { health: HealthReport },
): Promise<void> {
  bindRoute(app, 'health', async (_input, { request }) => {
    const full = await health.brief();
    if (callerOf(request.raw).isTrusted) return full;
    const { status, ready } = full;
    return { status, ready } as typeof full;
  });
  bindRoute(app, 'healthDetail', () => health.detail());
}
