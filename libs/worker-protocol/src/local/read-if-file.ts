import { readFileSync, statSync } from 'node:fs';

/** Text of a file; null when there is none, or something else in its place. */
export function readIfFile(path: string): string | null {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8') : null;
}
