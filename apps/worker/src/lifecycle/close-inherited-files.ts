import { closeSync, fstatSync, readdirSync } from 'node:fs';

const FIRST_INHERITED = 3;

/**
 * Closes the regular files that the starting process left open. A script around the host may hold a lock through such
 * a file, and the worker would hold that lock as long as it runs. Must be called before this process opens a file.
 */
export function closeInheritedFiles(): void {
  for (const descriptor of listDescriptors()) {
    if (descriptor < FIRST_INHERITED) continue;
    try {
      if (fstatSync(descriptor).isFile()) closeSync(descriptor);
    } catch (error) {
      // The descriptor of the listing itself is closed by now.
      if ((error as NodeJS.ErrnoException).code !== 'EBADF') throw error;
    }
  }
}

/** Empty on Windows, and on systems that do not list descriptors, such as some sandboxes. */
function listDescriptors(): number[] {
  try {
    return readdirSync('/dev/fd').map(Number);
  } catch {
    return [];
  }
}
