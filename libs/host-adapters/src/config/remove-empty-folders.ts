import { lstatSync, readdirSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { HostPlace } from '../host-adapter.js';
import { isInside } from '../real-path.js';

/** What folders that we make are allowed: nothing to others. */
const OWN_MODE = 0o700;

/**
 * Takes away the folders around a file that is gone, up to the home or the project, where nothing is in them and they are for their
 * owner only, as those that we make.
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
    // somebody was faster, or it may not be looked at: it stays
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}
