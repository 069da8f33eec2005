import { readFileSync, statSync } from 'node:fs';

const MAX_FILE_BYTES = 65_536;

/**
 * Reads a text file of at most `maxBytes`. Returns null for a missing, unreadable or larger file, and for a pipe or a
 * device, whose read would block forever.
 */
export function readSmallFile(path: string, maxBytes = MAX_FILE_BYTES): string | null {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= maxBytes ? readFileSync(path, 'utf8') : null;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}
