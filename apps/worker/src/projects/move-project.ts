import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import {
  NEUTRAL_PROJECT,
  noSuchProject,
  type Project,
  type Store,
  type ProjectFinder,
} from '@claude-mem/core';
import { isFolderMissing } from '@claude-mem/host-adapters';
import type { MoveProjectReply, MoveProjectRequest } from '@claude-mem/worker-protocol';
import { WorkerError } from '../worker-error.js';
import type { ProjectRelocation } from '@claude-mem/capture';

/**
 * Moves all records of a project to another folder.
 * @throws WorkerError when the request is ambiguous, or when the user did not confirm a move that is irreversible or
 * probably a mistake
 */
export async function moveProject(
  { from, fromFolder, to, merge = false, force = false }: MoveProjectRequest,
  {
    store,
    findProject,
    relocation,
  }: {
    store: Pick<Store, 'listProjects' | 'moveProject'>;
    findProject: ProjectFinder;
    relocation: Pick<ProjectRelocation, 'moved'>;
  },
): Promise<MoveProjectReply> {
  const keyOf = (folder: string | undefined) =>
    folder !== undefined && isAbsolute(folder)
      ? findProject({ projectDir: null, cwd: folder }).project?.key
      : undefined;
  const source = findSource(from, keyOf(fromFolder ?? from), await store.listProjects());
  if (!isAbsolute(to)) throw refused(`The new folder must be an absolute path, not "${to}".`);
  const { project: target, isExcluded } = findProject({ projectDir: null, cwd: to });
  if (isExcluded)
    throw new WorkerError('worker/forbidden', `The settings exclude ${to}, so nothing can be stored there.`);
  if (target === null || target.key === NEUTRAL_PROJECT.key)
    throw refused(
      `${to} cannot be a project: it is a home folder, a temporary folder, or a folder of a tool.`,
    );
  if (target.key === source.key) throw refused(`The records of ${source.key} are there already.`);
  if (!force && !existsSync(to))
    throw refused(`${to} does not exist. Check the path, or use --force to move the records there.`);
  if (!force && isAbsolute(source.key) && !(await isFolderMissing(source.key)))
    throw refused(
      `${source.key} still exists. A session there would start without records. Use --force to move the records.`,
    );
  const result = await store.moveProject({ id: source.id, to: target, merge });
  if (result.kind === 'occupied')
    throw refused(
      `${result.project.key} has records of its own. Use --merge to add the records of ${source.key}. This cannot be undone.`,
    );
  relocation.moved(result.from);
  relocation.moved(result.project);
  const observations = source.observations;
  return {
    from: toRef(result.from),
    project: toRef(result.project),
    observations,
    isMerged: result.isMerged,
  };
}

function findSource<Known extends Project>(
  named: string,
  key: string | undefined,
  projects: readonly Known[],
): Known {
  const exact = projects.find((project) => project.key === named);
  const matching = exact
    ? [exact]
    : projects.filter((project) => project.name === named || project.key === key);
  const [source, other] = matching;
  if (source === undefined) throw new WorkerError('worker/not-found', noSuchProject(named, projects));
  if (other !== undefined)
    throw refused(`"${named}" may mean ${source.key} or ${other.key}. Use the full path.`);
  if (source.key === NEUTRAL_PROJECT.key) throw refused('Records without a project cannot be moved.');
  return source;
}

const refused = (message: string) => new WorkerError('worker/bad-request', message);

const toRef = ({ key, name }: Project) => ({ key, name });
