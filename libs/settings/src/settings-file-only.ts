/** Argument of a worker that ignores the settings of its environment. Only a manual start omits it. */
export const SETTINGS_FILE_ONLY = '--settings-file-only';

const ALLOWED: ReadonlySet<string> = new Set([
  // the hook and the worker that it starts must use the same folder and port
  ...['CLAUDE_MEM_DATA_DIR', 'CLAUDE_MEM_WORKER_PORT'],
  ...['HOME', 'PATH', 'USER', 'LOGNAME', 'LANG', 'LANGUAGE', 'TZ'],
  // Windows
  ...['USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'USERNAME', 'USERDOMAIN', 'APPDATA', 'LOCALAPPDATA'],
  ...['PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR'],
  ...['COMSPEC', 'PATHEXT'],
]);

/**
 * Removes all variables except the data folder, the port and variables that every program needs. One worker serves all projects, and
 * any project can set the environment of a hook. This environment must not select vendors, keys, networks, programs or stored data.
 */
export function clearEnvironment(env: Record<string, string | undefined>): void {
  for (const name of Object.keys(env)) if (!isAllowed(name.toUpperCase())) delete env[name];
}

const isAllowed = (name: string) => ALLOWED.has(name) || name.startsWith('LC_');
