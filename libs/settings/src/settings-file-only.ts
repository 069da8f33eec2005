/** Argument of a worker that ignores the settings of its environment: every start but a manual one. */
export const SETTINGS_FILE_ONLY = '--settings-file-only';

const KEPT: ReadonlySet<string> = new Set([
  // a hook must reach the worker that it starts
  ...['CLAUDE_MEM_DATA_DIR', 'CLAUDE_MEM_WORKER_PORT'],
  ...['HOME', 'PATH', 'USER', 'LOGNAME', 'LANG', 'LANGUAGE', 'TZ'],
  // Windows
  ...['USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'USERNAME', 'USERDOMAIN', 'APPDATA', 'LOCALAPPDATA'],
  ...['PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR'],
  ...['COMSPEC', 'PATHEXT'],
]);

/**
 * Removes all variables of an environment except the data folder, the port and those that every program needs. One worker
 * serves all projects, and the environment of a hook can be that of any project: it must not choose who receives prompts,
 * with which key, over which network, what runs, or what is stored.
 */
export function clearEnvironment(env: Record<string, string | undefined>): void {
  for (const name of Object.keys(env)) if (!isKept(name.toUpperCase())) delete env[name];
}

const isKept = (name: string) => KEPT.has(name) || name.startsWith('LC_');
