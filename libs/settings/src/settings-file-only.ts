import { SETTINGS } from './setting-definitions.js';

/** Argument of a worker that ignores the settings of its environment: every start but a manual one. */
export const SETTINGS_FILE_ONLY = '--settings-file-only';

/**
 * Data folder and port, because a hook must reach the worker that it starts, and what a person keeps out of the memory:
 * a list in the environment that had no effect would store what must not be stored.
 */
const KEPT: readonly string[] = [
  'CLAUDE_MEM_DATA_DIR',
  'CLAUDE_MEM_WORKER_PORT',
  'CLAUDE_MEM_EXCLUDED_PROJECTS',
];

/**
 * Removes the settings from an environment, except those above. One worker serves all projects, and the
 * environment of a hook can be that of any project: it must not choose who receives prompts, with which key, or what runs.
 */
export function removeEnvironmentSettings(env: Record<string, string | undefined>): void {
  for (const { key } of SETTINGS) if (!KEPT.includes(key)) delete env[key];
  // would send keys to a server that only claims to be the vendor's
  delete env['NODE_TLS_REJECT_UNAUTHORIZED'];
}
