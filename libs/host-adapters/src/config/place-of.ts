import { join } from 'node:path';
import type { HostPlace } from '../host-adapter.js';

/** A file in the host's folder: the project's, the one that was told, or the one in the home. */
export function placeOf(folder: string, file: string) {
  return ({ home, configDir, projectDir }: HostPlace): string =>
    join(projectDir ? join(projectDir, folder) : configDir || join(home, folder), file);
}
