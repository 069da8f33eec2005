import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';

/** Checks whether a path of this system does not exist. False for unreadable paths and for paths of other systems. */
export async function isFolderMissing(path: string): Promise<boolean> {
  if (!isAbsolute(path)) return false;
  try {
    await stat(path);
    return false;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    return code === 'ENOENT' || code === 'ENOTDIR';
  }
}
