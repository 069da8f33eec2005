import { readFileSync, statSync } from 'node:fs';

/** Text of a file; null when there is none, or something else in its place. */
export function readIfFile(path: string): string | null {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8') : null;
  } catch (error) {
    // a file stands in the place of one of its folders
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    throw error;
  }
}
