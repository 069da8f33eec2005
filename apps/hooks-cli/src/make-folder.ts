import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, for their owner only; fine when it exists. Not Node's own recursive way: that one
 * never returns where the system answers "no such file" for a folder in an existing one, as in /proc.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // another hook was first
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
