import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { NEUTRAL_PROJECT } from '@claude-mem/core';
import { resolveProject, type EventFolders } from '@claude-mem/host-adapters';
import { expandPath } from '@claude-mem/settings';

export interface ProjectKey {
  key: string;
  name: string;
}

export interface ProjectPlaces {
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
  { home, cwd, projectDir }: ProjectPlaces,
): ProjectKey | null {
  for (const folder of rootUris.map(folderOf)) {
    const found = folder === null ? null : projectOf({ projectDir: null, cwd: folder }, home);
    if (found !== null) return found;
  }
  return (
    projectOf({ projectDir: projectDir ?? null, cwd }, home) ?? projectOf({ projectDir: null, cwd }, home)
  );
}

/** Returns the project of the folders, or null. */
function projectOf(folders: EventFolders, home: string): ProjectKey | null {
  const { key, name } = resolveProject(folders, { home, tmpDir: tmpdir() });
  return key === NEUTRAL_PROJECT.key ? null : { key, name };
}

/** What was given as a project: a path is a folder of it, everything else its name. */
export function projectFilter(given: string, { home }: Pick<ProjectPlaces, 'home'>): string {
  const folder = given.startsWith('file:') ? folderOf(given) : given;
  if (folder === null || !/^([/\\~]|[A-Za-z]:[\\/])/.test(folder)) return given;
  return projectOf({ projectDir: null, cwd: expandPath(folder, home) }, home)?.key ?? given;
}

function folderOf(uri: string): string | null {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : null;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
