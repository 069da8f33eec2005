import { boundedPath } from '../bounded.js';
import type { Payload } from '../create-event-reader.js';
import type { HookEnv } from '../host-adapter.js';

/**
 * Returns the folders of an event: the first folder of the workspace, and the folder of a command if given. User
 * hooks run in the editor's configuration folder, which says nothing about the project.
 */
export function foldersOf(payload: Payload, env: HookEnv): { cwd: string | null; projectDir: string | null } {
  const roots = payload['workspace_roots'];
  const root = Array.isArray(roots) ? roots.map(pathOf).find((path) => path !== null) : null;
  const projectDir = root ?? unlessOwn(pathOf(env.projectDir));
  return { cwd: unlessOwn(pathOf(payload['cwd'])) ?? projectDir, projectDir };
}

/** On Windows, folders have the form `/c:/Users/me/repo`. */
function pathOf(value: unknown): string | null {
  return boundedPath(value)?.replace(/^[\\/](?=[A-Za-z]:(?:[\\/]|$))/, '') ?? null;
}

const unlessOwn = (path: string | null) => (path && /(?:^|[\\/])\.cursor[\\/]*$/.test(path) ? null : path);
