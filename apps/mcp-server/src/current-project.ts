import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { NEUTRAL_PROJECT } from '@claude-mem/core';
import { resolveProject, type EventFolders } from '@claude-mem/host-adapters';
import { expandPath } from '@claude-mem/settings';

export interface ProjectKey {
  key: string;
  name: string;
}

export interface ProjectFolders {
  home: string;
  cwd: string;
  /** The host's project folder, from a variable that the host of this client sets (CLAUDE_PROJECT_DIR). */
  projectDir: string | undefined;
}

/**
 * Returns the project of a client. Uses the first root, then the project folder of the host if the server was started in that
 * folder or in the same repository, then the start folder. Null when none of these is in a project.
 */
export function currentProject(
  rootUris: readonly string[],
  { home, cwd, projectDir }: ProjectFolders,
): ProjectKey | null {
  for (const folder of rootUris.map(toFolder)) {
    const found = folder === null ? null : findProject({ projectDir: null, cwd: folder }, home);
    if (found !== null) return found;
  }
  return (
    findProject({ projectDir: projectDir ?? null, cwd }, home) ?? findProject({ projectDir: null, cwd }, home)
  );
}

function findProject(folders: EventFolders, home: string): ProjectKey | null {
  const { key, name } = resolveProject(folders, { home, tmpDir: tmpdir() });
  return key === NEUTRAL_PROJECT.key ? null : { key, name };
}

/** Converts the argument `project` to a key or a name. A path is a folder of the project, any other text its name. */
export function projectFilter(value: string, { home }: Pick<ProjectFolders, 'home'>): string {
  const folder = value.startsWith('file:') ? toFolder(value) : value;
  if (folder === null || !/^([/\\~]|[A-Za-z]:[\\/])/.test(folder)) return value;
  return findProject({ projectDir: null, cwd: expandPath(folder, home) }, home)?.key ?? value;
}

function toFolder(uri: string): string | null {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : null;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
