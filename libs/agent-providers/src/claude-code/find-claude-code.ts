import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { ProviderError } from '../provider-error.js';

export interface FindClaudeCodeOptions {
  /** CLAUDE_CODE_PATH; empty: look for it. */
  configured?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  /** @default the machine's */
  platform?: NodeJS.Platform;
}

/** Path of the Claude Code program: the configured one, else the first on PATH, else where its installers put it. */
export function findClaudeCode(options: FindClaudeCodeOptions): string {
  const { configured = '', env, platform = process.platform } = options;
  const home = env['HOME'] ?? env['USERPROFILE'] ?? '';
  if (configured !== '') {
    const wanted = configured.startsWith('~/') ? path.join(home, configured.slice(2)) : configured;
    if (isProgram(wanted)) return wanted;
    throw new ProviderError(
      'setup-required',
      `The claude-code observer cannot run ${wanted}: correct CLAUDE_CODE_PATH, or leave it empty to have Claude Code found.`,
    );
  }
  const found = [...onPath(env, platform), ...usualPlaces(home, env, platform)].find(isProgram);
  if (found !== undefined) return found;
  throw new ProviderError(
    'setup-required',
    'The claude-code observer finds no Claude Code: install it ("npm install -g @anthropic-ai/claude-code"), or set CLAUDE_CODE_PATH to its program.',
  );
}

function onPath(env: FindClaudeCodeOptions['env'], platform: NodeJS.Platform): string[] {
  const isWindows = platform === 'win32';
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(isWindows ? ';' : ':').filter(path.isAbsolute);
  return folders.flatMap((folder) => programsIn(folder, isWindows));
}

function usualPlaces(home: string, env: FindClaudeCodeOptions['env'], platform: NodeJS.Platform): string[] {
  const isWindows = platform === 'win32';
  const own = home === '' ? [] : [path.join(home, '.local', 'bin'), path.join(home, '.claude', 'local')];
  const appData = env['APPDATA'];
  const npm = isWindows
    ? appData === undefined
      ? []
      : [path.join(appData, 'npm')]
    : [
        ...(home === '' ? [] : [path.join(home, '.npm-global', 'bin')]),
        ...['/opt/homebrew/bin', '/usr/local/bin', '/usr/bin'],
      ];
  return [...own, ...npm].flatMap((folder) => programsIn(folder, isWindows));
}

/** On Windows npm leaves a shell script that cannot be started as a program; what it calls can. */
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
