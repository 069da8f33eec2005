import type { Clock } from '@claude-mem/core';
import type { DataPaths } from '@claude-mem/settings';
import type { FastifyInstance } from 'fastify';
import { dayOf } from '../../log/create-day-file.js';
import { logDays, readLog } from '../../log/read-log.js';
import { WorkerError } from '../../worker-error.js';
import { bindRoute } from '../bind-route.js';

export async function logRoutes(
  app: FastifyInstance,
  { paths: { logsDir }, clock }: { paths: DataPaths; clock: Clock },
): Promise<void> {
  bindRoute(app, 'logs', async ({ query = {} }) => {
    const { date = dayOf(clock.now()), level, text, limit = 100, cursor, after } = query;
    if (Number.isNaN(Date.parse(`${date}T00:00:00Z`)))
      throw new WorkerError('worker/bad-request', `${date} is not a day.`);
    const before = cursor === undefined ? undefined : Number(cursor);
    const { items, next, end } = await readLog(logsDir, { date, level, text, limit, before, after });
    return {
      date,
      dates: await logDays(logsDir),
      items,
      nextCursor: next === null ? null : String(next),
      end,
    };
  });
}
