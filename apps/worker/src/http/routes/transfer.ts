import path from 'node:path';
import { isExcluded } from '@claude-mem/settings';
import { toTransferRecord } from '@claude-mem/worker-protocol';
import type { Clock, ProjectFinder } from '@claude-mem/core';
import type { FastifyInstance } from 'fastify';
import type { LiveSettings } from '../../lifecycle/create-live-settings.js';
import type { NeedMemory } from '../../open-memory.js';
import { importRecords } from '../../transfer/import-records.js';
import { WorkerError } from '../../worker-error.js';
import { bindRoute } from '../bind-route.js';

/** Routes for import and export. */
export async function transferRoutes(
  app: FastifyInstance,
  {
    memory,
    live,
    findProject,
    clock,
  }: { memory: NeedMemory; live: LiveSettings; findProject: ProjectFinder; clock: Clock },
): Promise<void> {
  bindRoute(app, 'importRecords', async ({ body }) => {
    const { store, searching } = memory();
    const reply = await importRecords(body, {
      store,
      findProject: (project) => {
        if (isFolder(project)) return findProject({ projectDir: project, cwd: null });
        return { project: null, isExcluded: isExcluded(live.current(), project, project) };
      },
      clock,
    });
    if (reply.inserted > 0) searching.wake();
    return reply;
  });

  bindRoute(app, 'exportRecords', async ({ query = {} }) => {
    const { store } = memory();
    const { project, limit = 500, cursor } = query;
    if (cursor !== undefined && !/^[a-z]+-\d{1,15}$/.test(cursor))
      throw new WorkerError('worker/bad-request', 'The cursor is not one that was given out.');
    const projectIds = project === undefined ? undefined : await idsOf([project].flat(), store);
    const { records, nextCursor } = await store.exportRecords({
      limit,
      cursor: cursor ?? null,
      ...(projectIds === undefined ? {} : { projectIds }),
    });
    return { items: records.map(toTransferRecord), nextCursor };
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

/** Matches absolute paths of this system and of Windows, and paths below the home folder. Other texts are project names. */
const isFolder = (project: string) =>
  path.posix.isAbsolute(project) || path.win32.isAbsolute(project) || /^~(?=$|[/\\])/.test(project);
