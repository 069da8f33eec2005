import { readdirSync, readlinkSync, realpathSync } from 'node:fs';

/**
 * Checks whether the process has the file open. Linux only. False for a process of another user and for one that has
 * exited.
 * @param file an absolute path
 */
export function hasOpenFile(pid: number, file: string): boolean {
  const folder = `/proc/${pid}/fd`;
  const target = unlessGone(() => realpathSync(file));
  const names = unlessGone(() => readdirSync(folder)) ?? [];
  return (
    target !== null && names.some((name) => unlessGone(() => readlinkSync(`${folder}/${name}`)) === target)
  );
}

/** Null for a process that has exited or belongs to another user, and for a file that was closed meanwhile. */
function unlessGone<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
