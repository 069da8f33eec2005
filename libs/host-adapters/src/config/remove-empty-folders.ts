import { lstatSync, readdirSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { HostPlace } from '../host-adapter.js';
import { isInside } from '../real-path.js';

/** Permissions of folders that we create: none for others. */
const OWN_MODE = 0o700;

/**
 * Removes the empty parent folders of a deleted file, up to the home or the project, if only their owner can access
 * them, like the folders that we create.
 */
export function removeEmptyFolders(file: string, { home, configDir, projectDir }: HostPlace): void {
  const root = projectDir ?? (configDir && !isInside(configDir, home) ? dirname(configDir) : home);
  for (let folder = dirname(file); folder !== root && isInside(folder, root); folder = dirname(folder))
    if (!removeIfOurs(folder)) return;
}

function removeIfOurs(folder: string): boolean {
  try {
    const found = lstatSync(folder);
    if (!found.isDirectory() || (found.mode & 0o777) !== OWN_MODE || readdirSync(folder).length > 0)
      return false;
    rmdirSync(folder);
    return true;
  } catch (error) {
    // Another process removed it, or it cannot be read.
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}
