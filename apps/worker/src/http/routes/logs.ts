import type { Clock } from '@claude-mem/core';
import type { FastifyInstance } from 'fastify';
import { dayOf, logFileName } from '../../log/create-day-file.js';
import { readTail } from '../../log/read-tail.js';
import { WorkerError } from '../../worker-error.js';
import { bindRoute } from '../bind-route.js';

export async function logRoutes(
  app: FastifyInstance,
  { logsDir, clock }: { logsDir: string; clock: Clock },
): Promise<void> {
  bindRoute(app, 'readLog', async ({ query }) => {
    const date = query?.date ?? dayOf(clock.now());
    if (Number.isNaN(Date.parse(`${date}T00:00:00Z`)))
      throw new WorkerError('worker/bad-request', `${date} is not a day.`);
    return { date, lines: await readTail(logsDir, logFileName(date), query?.lines ?? 200) };
  });
}
