import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

export interface LocateClaudeCodeOptions {
  /** Value of CLAUDE_CODE_PATH. Empty: search for the program. */
  configured?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  /** Empty when it is unknown. */
  home: string;
  /** @default the platform of the machine */
  platform?: NodeJS.Platform | undefined;
}

/**
 * Returns the path of the Claude Code program: the configured one, or else the first on PATH, or else one in the
 * folders of the installers.
 */
export function locateClaudeCode(options: LocateClaudeCodeOptions): string | null {
  const { configured = '', env, home, platform = process.platform } = options;
  if (configured !== '') {
    const wanted = configured.startsWith('~/') ? path.join(home, configured.slice(2)) : configured;
    return isProgram(wanted) ? wanted : null;
  }
  const isWindows = platform === 'win32';
  const onPath = (env['PATH'] ?? env['Path'] ?? '').split(isWindows ? ';' : ':').filter(path.isAbsolute);
  const folders = [...onPath, ...usualFolders(home, env, isWindows)];
  return folders.flatMap((folder) => programsIn(folder, isWindows)).find(isProgram) ?? null;
}

function usualFolders(home: string, env: LocateClaudeCodeOptions['env'], isWindows: boolean): string[] {
  const inHome = (...names: string[]) => (home === '' ? [] : [path.join(home, ...names)]);
  const appData = env['APPDATA'];
  const npm = isWindows
    ? appData === undefined
      ? []
      : [path.join(appData, 'npm')]
    : [...inHome('.npm-global', 'bin'), '/opt/homebrew/bin', '/usr/local/bin', '/usr/bin'];
  return [...inHome('.local', 'bin'), ...inHome('.claude', 'local'), ...npm];
}

/** On Windows, npm installs a shell script that cannot be started as a program. The script calls this file. */
function programsIn(folder: string, isWindows: boolean): string[] {
  if (!isWindows) return [path.join(folder, 'claude')];
  const npmPackage = path.join(folder, 'node_modules', '@anthropic-ai', 'claude-code');
  return [
    path.join(folder, 'claude.exe'),
    path.join(npmPackage, 'bin', 'claude.exe'),
    path.join(npmPackage, 'cli.js'),
  ];
}

function isProgram(file: string): boolean {
  try {
    if (!statSync(file).isFile()) return false;
    accessSync(file, /\.[cm]?js$/.test(file) ? constants.R_OK : constants.X_OK);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}
