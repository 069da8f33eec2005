import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { systemClock, type Clock } from '@claude-mem/core';

const MAX_LEVELS = 128;

/**
 * Resolves the symlinks of a path as far as it exists. The missing or unreadable rest is kept. Never throws. Costs
 * one file system call per missing level.
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

/** Resolves links for many paths in few folders. */
export interface RealPathReader {
  /** `realPathOf` with a short-lived cache. */
  folder(path: string): string;
  /** The same for a file: its folder is cached, and only the file itself is checked for a link. */
  file(path: string): string;
}

export function createRealPathReader({
  clock = systemClock,
  keepMs = 2_000,
  capacity = 500,
}: { clock?: Clock; keepMs?: number; capacity?: number } = {}): RealPathReader {
  const known = new Map<string, { real: string; until: number }>();
  const folder = (path: string) => {
    const now = clock.now();
    const entry = known.get(path);
    if (entry !== undefined && entry.until > now && entry.until <= now + keepMs) return entry.real;
    if (known.size >= capacity) known.clear();
    const real = realPathOf(path);
    known.set(path, { real, until: now + keepMs });
    return real;
  };
  const file = (path: string) => {
    const absolute = resolve(path);
    return isLink(absolute) ? realPathOf(absolute) : join(folder(dirname(absolute)), basename(absolute));
  };
  return { folder, file };
}

/** Checks whether `path` is `folder` or is in it. Both are absolute. */
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

/** Checks for a symbolic link. False for a missing or unreadable path. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}
