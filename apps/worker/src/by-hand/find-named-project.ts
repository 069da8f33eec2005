import { isAbsolute } from 'node:path';
import type { ProjectRef, Store } from '@claude-mem/core';
import type { ProjectFinder } from '../capture/create-project-finder.js';
import { WorkerError } from '../worker-error.js';

/**
 * The project that a person names, or that of a folder; null when neither is given.
 * @throws WorkerError when it is not known, or nothing of it may be kept
 */
export async function findNamedProject(
  { project, cwd }: { project?: string; cwd?: string },
  { store, findProject }: { store: Pick<Store, 'listProjects'>; findProject: ProjectFinder },
): Promise<ProjectRef | null> {
  const projects = project === undefined ? [] : await store.listProjects();
  const known = projects.find(({ key }) => key === project) ?? projects.find(({ name }) => name === project);
  const folder = known?.key ?? project ?? cwd;
  if (folder === undefined) return null;
  const found = isAbsolute(folder) ? findProject({ projectDir: null, cwd: folder }) : null;
  if (found?.isExcluded)
    throw new WorkerError('worker/forbidden', `The settings exclude ${folder}: nothing of it is kept.`);
  if (known) return { key: known.key, name: known.name };
  if (found?.project) return found.project;
  const names = projects.map(({ name }) => name).join(', ');
  throw new WorkerError('worker/not-found', `There is no project "${folder}". Known: ${names || 'none'}.`);
}
