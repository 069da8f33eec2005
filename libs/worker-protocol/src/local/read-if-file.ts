import { readFileSync, statSync } from 'node:fs';

/** Reads a text file. Returns null when it does not exist or is not a file. */
export function readIfFile(path: string): string | null {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8') : null;
  } catch (error) {
    // A parent folder in the path is a file.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    throw error;
  }
}
