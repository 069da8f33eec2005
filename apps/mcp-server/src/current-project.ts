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
 * The project a client works in: its first root, else the host's project folder if the server was started in it or in the same
 * repository, else where the server was started. Null where none of them is a project.
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

/** The project of folders; null where that is none. */
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
