import { isAbsolute } from 'node:path';
import {
  NEUTRAL_PROJECT,
  noSuchProject,
  projectNamed,
  type ProjectRef,
  type Store,
  type ProjectFinder,
} from '@claude-mem/core';
import { isFolderMissing } from '@claude-mem/host-adapters';
import type { RememberRequest } from '@claude-mem/worker-protocol';
import type { ProjectRelocation } from '@claude-mem/capture';
import { WorkerError } from '../worker-error.js';

export interface ProjectParts {
  store: Pick<Store, 'listProjects' | 'findSession' | 'getProject'>;
  findProject: ProjectFinder;
  relocation: Pick<ProjectRelocation, 'follow'>;
}

/**
 * Returns the project with a name or of a folder. Null when neither is given: the project of the session.
 * @throws WorkerError when the project is unknown or excluded
 */
export async function findNamedProject(
  { project, cwd, session }: Pick<RememberRequest, 'project' | 'cwd' | 'session'>,
  { store, findProject, relocation }: ProjectParts,
): Promise<ProjectRef | null> {
  const findKept = async (folder: string) => {
    const found = isAbsolute(folder) ? findProject({ projectDir: null, cwd: folder }) : null;
    if (found?.isExcluded)
      throw new WorkerError('worker/forbidden', `The settings exclude ${folder}: nothing of it is kept.`);
    if (found) await relocation.follow(found);
    return found?.project ?? null;
  };
  if (project === undefined) {
    if (cwd !== undefined) return findKept(cwd);
    const { host, contentSessionId } = session ?? {};
    const known = host && contentSessionId ? await store.findSession({ host, contentSessionId }) : null;
    const own = known ? await store.getProject(known.projectId) : null;
    if (own) await findKept(own.key);
    return null;
  }
  if (project === NEUTRAL_PROJECT.key) return NEUTRAL_PROJECT;
  const projects = await store.listProjects();
  const known = projectNamed(projects, project);
  const found = await findKept(known?.key ?? project);
  if (known) return { key: known.key, name: known.name };
  if (found && !projects.some(({ key }) => key === found.key) && (await isFolderMissing(project)))
    throw new WorkerError(
      'worker/not-found',
      `${noSuchProject(project, projects)} A new project needs an existing folder: create ${project} first.`,
    );
  if (found) return found;
  throw new WorkerError('worker/not-found', noSuchProject(project, projects));
}
