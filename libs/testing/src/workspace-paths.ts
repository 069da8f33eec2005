import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// src and dist lie equally deep
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** Where things are in the workspace; the built programs are what tests run. */
export const workspacePaths = {
  root,
  workerMain: path.join(root, 'apps', 'worker', 'dist', 'main.js'),
  hookScript: path.join(root, 'apps', 'hooks-cli', 'dist', 'hook.sh'),
  command: path.join(root, 'apps', 'hooks-cli', 'dist', 'claude-mem.js'),
} as const;

/** The recorded data beside the project, or null where it is not available; tests that need it are skipped then. */
export function sharedFolder(env: Readonly<Record<string, string | undefined>>): string | null {
  const folder = env['CLAUDE_MEM_SHARED'] ?? path.join(root, '..', 'shared');
  return existsSync(folder) ? folder : null;
}
