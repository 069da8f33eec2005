import { isAbsolute } from 'node:path';

/** Where this process works. Of a folder that is gone: what the shell calls it, else the home. */
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
