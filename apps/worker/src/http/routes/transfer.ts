import { isExcluded } from '@claude-mem/settings';
import { toTransferRecord } from '@claude-mem/worker-protocol';
import type { Clock } from '@claude-mem/core';
import type { FastifyInstance } from 'fastify';
import type { LiveSettings } from '../../lifecycle/create-live-settings.js';
import type { NeedMemory } from '../../open-memory.js';
import { importRecords } from '../../transfer/import-records.js';
import { WorkerError } from '../../worker-error.js';
import { bindRoute } from '../bind-route.js';

/** Records in and out, in the interchange form. */
export async function transferRoutes(
  app: FastifyInstance,
  { memory, live, clock }: { memory: NeedMemory; live: LiveSettings; clock: Clock },
): Promise<void> {
  bindRoute(app, 'importRecords', async ({ body }) => {
    const { store, searching } = memory();
    const reply = await importRecords(body, {
      store,
      isExcluded: (project) => isExcluded(live.current(), project, project),
      clock,
    });
    if (reply.inserted > 0) searching.wake();
    return reply;
  });

  bindRoute(app, 'exportRecords', async ({ query = {} }) => {
    const { store } = memory();
    const { project, limit = 500, cursor } = query;
    if (cursor !== undefined && !/^\d{1,15}$/.test(cursor))
      throw new WorkerError('worker/bad-request', 'The cursor is not one that was given out.');
    const projectIds = project === undefined ? undefined : await idsOf([project].flat(), store);
    const records =
      projectIds?.length === 0
        ? []
        : await store.exportObservations({
            limit,
            ...(cursor === undefined ? {} : { afterId: Number(cursor) }),
            ...(projectIds === undefined ? {} : { projectIds }),
          });
    const last = records.at(-1);
    return {
      items: records.map(toTransferRecord),
      nextCursor: last === undefined || records.length < limit ? null : String(last.id),
    };
  });
}

async function idsOf(
  wanted: readonly string[],
  { listProjects }: ReturnType<NeedMemory>['store'],
): Promise<readonly number[]> {
  const projects = await listProjects();
  return projects
    .filter(({ key, name }) => wanted.includes(key) || wanted.includes(name))
    .map(({ id }) => id);
}
