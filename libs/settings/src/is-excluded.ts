import { realpathSync } from 'node:fs';
import { matchesGlob } from './matches-glob.js';
import type { Settings } from './setting-definitions.js';

/**
 * Whether a folder or one of its parents matches a glob of CLAUDE_MEM_EXCLUDED_PROJECTS. A glob without a slash matches any folder
 * name in the path.
 * @param folder path that the host reported
 * @param realFolder the same path without links, so that a link cannot bypass the rule
 */
export function isExcluded(
  settings: Pick<Settings, 'excludedProjects'>,
  folder: string,
  realFolder: string,
): boolean {
  const folders = [...new Set([folder, realFolder].map(normalizePath))];
  return settings.excludedProjects.some((pattern) =>
    listVariants(normalizePath(pattern)).some((variant) =>
      folders.some((path) => matchesGlob(path, variant)),
    ),
  );
}

/** Returns the pattern, and the pattern with resolved links in the part before the first wildcard. */
function listVariants(pattern: string): string[] {
  if (!pattern.includes('/')) return [`**/${pattern}`];
  if (!pattern.startsWith('/')) return [/^([A-Za-z]:|\*\*)/.test(pattern) ? pattern : `**/${pattern}`];
  const wild = pattern.search(/[*?{]/);
  const fixed = wild === -1 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', wild));
  const real = fixed === '' ? null : realPath(fixed);
  return real === null || real === fixed ? [pattern] : [pattern, real + pattern.slice(fixed.length)];
}

function realPath(path: string): string | null {
  try {
    return normalizePath(realpathSync(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return null;
  }
}

const normalizePath = (path: string) =>
  path
    .replaceAll('\\', '/')
    .replace(/(?<=.)\/$/, '')
    .normalize('NFC');
