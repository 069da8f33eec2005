import { basename, dirname } from 'node:path';
import {
  messageOf,
  shellWord,
  type ProjectRef,
  type ProjectRepository,
  type Store,
  type FoundProject,
  type Logger,
} from '@claude-mem/core';
import { isFolderMissing } from '@claude-mem/host-adapters';
import type { RepositoryReader } from './create-repository-reader.js';

/** Connects the records of a project with its new folder after the folder was moved. */
export interface ProjectRelocation {
  /**
   * Assigns a folder without a project to the project of the same git repository whose folder is missing. Returns
   * null when nothing has to be done.
   */
  follow(found: FoundProject): Promise<void> | null;
  /** Records the git repository of a project in the background. */
  record(found: FoundProject): void;
  /** Returns a message about the origin, or possible origin, of the records of a project; null when there is none. */
  messageFor(project: ProjectRef): Promise<string | null>;
  /** Call it when a project was moved to another folder. */
  moved(from: ProjectRef): void;
  /** Resolves when no work runs in the background. */
  idle(): Promise<void>;
}

/** Time limit in milliseconds. A session waits for this work. */
const FOLLOW_MS = 1_500;
/** Time limit in milliseconds. Git needs seconds to find the first commit of a very large repository. */
const RECORD_MS = 20_000;
const MAX_KEYS = 1_000;
const MAX_NAMED = 3;

/** Creates the service that detects moved folders of git repositories. `signal` stops its background work. */
export function createProjectRelocation({
  store,
  repositories,
  log,
  signal,
}: {
  store: Pick<Store, 'findProject' | 'listProjects' | 'listRepositories' | 'moveProject' | 'setRepository'>;
  repositories: RepositoryReader;
  log: Logger;
  signal: AbortSignal;
}): ProjectRelocation {
  const known = new Set<string>();
  const recorded = new Set<string>();
  const following = new Map<string, Promise<void>>();
  const recording = new Map<string, Promise<void>>();
  const movedFrom = new Map<string, ProjectRef>();

  const deadlineIn = (ms: number) => AbortSignal.any([signal, AbortSignal.timeout(ms)]);

  const forget = (key: string) => {
    known.delete(key);
    recorded.delete(key);
    movedFrom.delete(key);
  };

  const follow = async (project: ProjectRef, root: string) => {
    if ((await store.findProject(project.key)) === null) {
      const former = await findFormer(root);
      if (former === null) return; // The captured event will create a new project.
      const result = await store.moveProject({ id: former.id, to: project, merge: false });
      if (result.kind === 'moved') {
        const { remoteHash, rootCommit } = former;
        await store.setRepository(result.project.id, { remoteHash, rootCommit });
        forget(former.key);
        movedFrom.set(project.key, former);
        log.info(
          { from: former.key, to: project.key },
          'The folder of a project moved; its records moved with it',
        );
      }
    }
    if (known.size >= MAX_KEYS) known.clear();
    known.add(project.key);
  };

  /** Returns the only project of this repository whose folder is missing. */
  const findFormer = async (root: string): Promise<ProjectRepository | null> => {
    const all = await store.listRepositories();
    if (all.length === 0) return null;
    const deadline = deadlineIn(FOLLOW_MS);
    const search = async () => {
      const remoteHash = await repositories.remoteHash(root, deadline);
      const matches: ProjectRepository[] = [];
      for (const one of all) {
        const isSame =
          one.remoteHash === remoteHash &&
          (await isFolderMissing(one.key)) &&
          (await repositories.hasCommit(root, one.rootCommit, deadline));
        if (isSame) matches.push(one);
      }
      return matches.length === 1 && !deadline.aborted ? (matches[0] ?? null) : null;
    };
    return unlessAborted(search(), deadline);
  };

  /** Returns possible former folders of a project without records. */
  const findLikely = async (project: ProjectRef): Promise<readonly string[]> => {
    const projects = await store.listProjects();
    if ((projects.find(({ key }) => key === project.key)?.observations ?? 0) > 0) return [];
    const likely: string[] = [];
    for (const { key, observations } of projects) {
      const isNear = basename(key) === basename(project.key) || dirname(key) === dirname(project.key);
      if (key === project.key || observations === 0 || !isNear || likely.length === MAX_NAMED) continue;
      if (await isFolderMissing(key)) likely.push(key);
    }
    return likely;
  };

  const record = async (key: string, root: string) => {
    const project = await store.findProject(key);
    if (project === null) return;
    const deadline = deadlineIn(RECORD_MS);
    const before = (await store.listRepositories()).find(({ id }) => id === project.id);
    const remoteHash = await repositories.remoteHash(root, deadline);
    const rootCommit = before?.rootCommit ?? (await repositories.rootCommit(root, deadline));
    if (rootCommit === null || signal.aborted) return; // The repository may get a commit later.
    if (recorded.size >= MAX_KEYS) recorded.clear();
    recorded.add(key);
    if (remoteHash === undefined || rootCommit === undefined || before?.remoteHash === remoteHash) return;
    await store.setRepository(project.id, { remoteHash, rootCommit });
  };

  /** Runs one task per key at a time. Errors are only logged, so that events are captured anyway. */
  const once = (tasks: Map<string, Promise<void>>, key: string, task: () => Promise<void>): Promise<void> => {
    const running =
      tasks.get(key) ??
      task()
        .catch((error: unknown) => {
          if (!signal.aborted)
            log.warn({ key, error: messageOf(error) }, 'The repository of a project cannot be read');
        })
        .finally(() => tasks.delete(key));
    tasks.set(key, running);
    return running;
  };

  const folderOf = ({ project, root, isExcluded }: FoundProject) =>
    project === null || root === null || isExcluded || signal.aborted ? null : { project, root };

  return {
    follow(found) {
      const folder = folderOf(found);
      if (folder === null || known.has(folder.project.key)) return null;
      return once(following, folder.project.key, () => follow(folder.project, folder.root));
    },
    record(found) {
      const folder = folderOf(found);
      if (folder === null || recorded.has(folder.project.key)) return;
      void once(recording, folder.project.key, () => record(folder.project.key, folder.root));
    },
    async messageFor(project) {
      const from = movedFrom.get(project.key);
      if (from !== undefined) {
        movedFrom.delete(project.key);
        return (
          `The folder ${from.key} is gone, and this folder is the same git repository, so it has the records now. ` +
          `Undo: claude-mem project move --force ${shellWord(project.key)} ${shellWord(from.key)}`
        );
      }
      const likely = await unlessAborted(findLikely(project), deadlineIn(FOLLOW_MS));
      if (likely === null || likely.length === 0) return null;
      const commands = likely.map(
        (key) => `claude-mem project move ${shellWord(key)} ${shellWord(project.key)}`,
      );
      return `This folder has no records, but a folder with records is gone. If it was moved here: ${commands.join(' or ')}`;
    },
    moved: ({ key }) => forget(key),
    idle: async () => {
      await Promise.all([...following.values(), ...recording.values()]);
    },
  };
}

/** Returns null when the signal is aborted first. File access can block while a network drive is not available. */
function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | null> {
  const aborted = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  return Promise.race([work, aborted]);
}
