import { isAbsolute } from 'node:path';

/**
 * Returns the working folder of this process. For a deleted folder, returns the path in the shell's PWD, or else the
 * home folder.
 */
export function currentFolder({
  env,
  home,
}: {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}): string {
  try {
    return process.cwd();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    const named = env['PWD'] ?? '';
    return isAbsolute(named) ? named : home;
  }
}
