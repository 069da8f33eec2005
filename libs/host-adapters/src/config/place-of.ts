import { join } from 'node:path';
import type { HostPlace } from '../host-adapter.js';

/**
 * Returns the path of a file in the host's folder: of the project, the configured one, or the one in the home folder.
 */
export function placeOf(folder: string, file: string) {
  return ({ home, configDir, projectDir }: HostPlace): string =>
    join(projectDir ? join(projectDir, folder) : configDir || join(home, folder), file);
}
