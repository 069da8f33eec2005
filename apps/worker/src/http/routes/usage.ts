import { readUsageReport, type Clock } from '@claude-mem/core';
import { usageLimitsOf } from '@claude-mem/settings';
import type { FastifyInstance } from 'fastify';
import type { LiveSettings } from '../../lifecycle/create-live-settings.js';
import type { NeedMemory } from '../../open-memory.js';
import { bindRoute } from '../bind-route.js';

/** The usage and the remaining budget of today. */
export async function usageRoutes(
  app: FastifyInstance,
  { memory, live, clock }: { memory: NeedMemory; live: LiveSettings; clock: Clock },
): Promise<void> {
  bindRoute(app, 'usage', ({ query: { by = 'day', ...filter } }) =>
    readUsageReport(
      memory().store,
      { by, ...filter },
      { limits: usageLimitsOf(live.current()), now: clock.now() },
    ),
  );
}
