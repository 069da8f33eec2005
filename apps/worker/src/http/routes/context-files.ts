import type { ContextFilesReply } from '@claude-mem/worker-protocol';
import type { FastifyInstance } from 'fastify';
import type { ProjectFinder } from '@claude-mem/core';
import type { NeedMemory } from '../../open-memory.js';
import { bindRoute } from '../bind-route.js';

/** Routes for context files and their state. */
export async function contextFileRoutes(
  app: FastifyInstance,
  { memory, findProject }: { memory: NeedMemory; findProject: ProjectFinder },
): Promise<void> {
  const reply = (root: string | null): ContextFilesReply => ({
    root,
    files: root === null ? [] : memory().contextFiles.report(root),
  });
  const rootOf = (cwd: string) => findProject({ projectDir: null, cwd }).root;

  bindRoute(app, 'listContextFiles', async ({ query }) => reply(rootOf(query.cwd)));

  bindRoute(app, 'changeContextFiles', async ({ body }) => {
    const root = rootOf(body.cwd);
    if (root !== null) await memory().contextFiles[body.action](root);
    return reply(root);
  });
}
