import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents with mode 700. Does nothing when the folder exists. Does not use the `recursive` option
 * of Node, because it never returns when the system reports ENOENT below an existing folder, as in /proc.
 */
export function createFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) createFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // another process created the folder in the meantime
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
