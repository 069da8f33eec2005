import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';

const MAX_LEVELS = 128;

/**
 * The path with its symlinks followed as far as it exists; what does not exist or cannot be looked at is kept as written.
 * Never throws; costs one look-up per missing level.
 */
export function realPathOf(path: string): string {
  const missing: string[] = [];
  let current = resolve(path);
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const real = tryRealPath(current);
    if (real !== null) return join(real, ...missing);
    const parent = dirname(current);
    if (parent === current) break;
    missing.unshift(basename(current));
    current = parent;
  }
  return resolve(path);
}

/** True when `path` is `folder` or lies in it; both are absolute. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function tryRealPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}
