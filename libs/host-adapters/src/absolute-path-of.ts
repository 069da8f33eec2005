import { isAbsolute, join, sep } from 'node:path';
import { windowsPath } from './project/foreign-path.js';

/**
 * Returns the absolute form of a path in a hook payload. Never uses the working folder of this process, which is
 * unrelated to the session.
 * @param cwd base of relative paths
 * @param home folder that `~` stands for
 * @returns null for a Windows path on another system, and for a relative path without an absolute `cwd`
 */
export function absolutePathOf(
  path: string,
  { cwd, home }: { cwd: string | null; home?: string | undefined },
): string | null {
  const named = expandHome(path, home);
  if (isAbsolute(named)) return named;
  const folder = cwd === null ? '' : expandHome(cwd, home);
  if (!isAbsolute(folder) || (sep === '/' && windowsPath(named) !== null)) return null;
  return join(folder, named);
}

const expandHome = (path: string, home: string | undefined) =>
  home && /^~(?=$|[/\\])/.test(path) ? join(home, path.slice(1)) : path;
