import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// This path works from src and from dist, because both have the same depth.
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** Paths in the workspace. Tests run the built programs. */
export const workspacePaths = {
  root,
  workerMain: path.join(root, 'apps', 'worker', 'dist', 'main.js'),
  hookScript: path.join(root, 'apps', 'hooks-cli', 'dist', 'hook.sh'),
  command: path.join(root, 'apps', 'hooks-cli', 'dist', 'claude-mem.js'),
} as const;

/**
 * Returns the folder of recorded data beside the project, or null if it does not exist. Tests that need the data are
 * then skipped.
 */
export function sharedFolder(env: Readonly<Record<string, string | undefined>>): string | null {
  const folder = env['CLAUDE_MEM_SHARED'] ?? path.join(root, '..', 'shared');
  return existsSync(folder) ? folder : null;
}
