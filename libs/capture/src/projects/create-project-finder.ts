import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Clock, FoundProject, ProjectFinder } from '@claude-mem/core';
import { resolveProject } from '@claude-mem/host-adapters';
import { isExcluded, type Settings } from '@claude-mem/settings';

const CACHE_MS = 2_000;
const MAX_CACHED = 500;

/**
 * Creates a function that finds the project of a folder and checks whether the folder is excluded, also by its real
 * path. Caches results for two seconds, because a busy session sends hundreds of events from one folder.
 * @param options.home home folder, which is not a project
 * @param options.tmpDir temporary folder, which is not a project
 */
export function createProjectFinder({
  settings,
  clock,
  home,
  tmpDir,
}: {
  settings: () => Settings;
  clock: Clock;
  home: string;
  tmpDir: string;
}): ProjectFinder {
  const known = new Map<string, { found: FoundProject; until: number }>();
  let knownBy = settings();
  return (event) => {
    const current = settings();
    // The cache is cleared, so that a new exclusion takes effect immediately.
    if (current !== knownBy) known.clear();
    knownBy = current;
    const key = `${event.projectDir ?? ''}\0${event.cwd ?? ''}`;
    const now = clock.now();
    const hit = known.get(key);
    if (hit && hit.until > now) return hit.found;
    if (known.size >= MAX_CACHED) known.clear();
    const found = find(event, current, { home, tmpDir });
    known.set(key, { found, until: now + CACHE_MS });
    return found;
  };
}

function find(
  event: { projectDir: string | null; cwd: string | null },
  settings: Settings,
  locations: { home: string; tmpDir: string },
): FoundProject {
  const folders = [event.projectDir, event.cwd].filter((folder) => folder !== null);
  if (folders.length === 0) return { project: null, root: null, isExcluded: false };
  const { key, name, root } = resolveProject(event, locations);
  const excluded = [...folders, ...(root === null ? [] : [root])].some((folder) =>
    isExcluded(settings, folder, realFolder(folder)),
  );
  return { project: { key, name }, root, isExcluded: excluded };
}

/** Resolves links. Returns a relative, missing or unreadable path unchanged. */
function realFolder(folder: string): string {
  if (!isAbsolute(folder)) return folder;
  try {
    return realpathSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return folder;
  }
}
