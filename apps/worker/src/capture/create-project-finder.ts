import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Clock, FoundProject, ProjectFinder } from '@claude-mem/core';
import { resolveProject } from '@claude-mem/host-adapters';
import { isExcluded, type Settings } from '@claude-mem/settings';

const KEEP_MS = 2_000;
const KEEP_COUNT = 500;

/**
 * Finds the project of a folder and whether it is excluded, under the name it was given and under its real one. Remembers
 * the answer for a moment: a busy session sends hundreds of events from one folder.
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
    // what is excluded from now on is so at once
    if (current !== knownBy) known.clear();
    knownBy = current;
    const key = `${event.projectDir ?? ''}\0${event.cwd ?? ''}`;
    const now = clock.now();
    const hit = known.get(key);
    if (hit && hit.until > now) return hit.found;
    if (known.size >= KEEP_COUNT) known.clear();
    const found = find(event, current, { home, tmpDir });
    known.set(key, { found, until: now + KEEP_MS });
    return found;
  };
}

function find(
  event: { projectDir: string | null; cwd: string | null },
  settings: Settings,
  places: { home: string; tmpDir: string },
): FoundProject {
  const folders = [event.projectDir, event.cwd].filter((folder) => folder !== null);
  if (folders.length === 0) return { project: null, root: null, isExcluded: false };
  const { key, name, root } = resolveProject(event, places);
  const excluded = [...folders, ...(root === null ? [] : [root])].some((folder) =>
    isExcluded(settings, folder, realFolder(folder)),
  );
  return { project: { key, name }, root, isExcluded: excluded };
}

/** The folder without symlinks; as written when it is not absolute here, is gone, or cannot be read. */
function realFolder(folder: string): string {
  if (!isAbsolute(folder)) return folder;
  try {
    return realpathSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return folder;
  }
}
