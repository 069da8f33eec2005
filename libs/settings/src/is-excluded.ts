import { realpathSync } from 'node:fs';
import { matchesGlob } from './matches-glob.js';
import type { Settings } from './setting-definitions.js';

/**
 * True when a folder, or one it lies in, matches a pattern of CLAUDE_MEM_EXCLUDED_PROJECTS. Give the folder as the host named
 * it and its real path: a symlink must not lead around the rule. A pattern without a slash matches the name of any folder on the way.
 */
export function isExcluded(
  settings: Pick<Settings, 'excludedProjects'>,
  folder: string,
  realFolder: string,
): boolean {
  const folders = [...new Set([folder, realFolder].map(slashed))];
  return settings.excludedProjects.some((pattern) =>
    variants(slashed(pattern)).some((variant) => folders.some((path) => matchesGlob(path, variant))),
  );
}

/** The pattern as written, and with the symlinks of its fixed part followed. */
function variants(pattern: string): string[] {
  if (!pattern.includes('/')) return [`**/${pattern}`];
  if (!pattern.startsWith('/')) return [/^([A-Za-z]:|\*\*)/.test(pattern) ? pattern : `**/${pattern}`];
  const wild = pattern.search(/[*?{]/);
  const fixed = wild === -1 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', wild));
  const real = fixed === '' ? null : realPath(fixed);
  return real === null || real === fixed ? [pattern] : [pattern, real + pattern.slice(fixed.length)];
}

function realPath(path: string): string | null {
  try {
    return slashed(realpathSync(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return null;
  }
}

/** Forward slashes, none at the end. */
const slashed = (path: string) =>
  path
    .replaceAll('\\', '/')
    .replace(/(?<=.)\/$/, '')
    .normalize('NFC');
