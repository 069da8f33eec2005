import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOST_NAMES, type HostName } from '@claude-mem/core';
import { adapterFor } from '@claude-mem/host-adapters';
import type { CommandContext } from '../command.js';
import { fail, ok, warn, type Check, type Finding } from './check.js';

/** What the command lines of our hooks end with. */
const OUR_HOOK = /# claude-mem hook\b/;

export const hooksCheck: Check = {
  title: 'hooks',
  run({ env, home, cwd }) {
    const installed = HOST_NAMES.flatMap((host) => installedFiles(host, { env, home, cwd }));
    if (installed.length === 0)
      return warn('not in the settings of any host', 'Run: claude-mem install --host claude-code');
    return missingScript(installed) ?? ok(installed.map(({ host, file }) => `${host}: ${file}`).join(', '));
  },
};

interface InstalledFile {
  host: HostName;
  file: string;
  commands: readonly string[];
}

function installedFiles(
  host: HostName,
  { env, home, cwd }: Pick<CommandContext, 'env' | 'home' | 'cwd'>,
): InstalledFile[] {
  const adapter = adapterFor(host);
  if (!adapter) return [];
  const moved = host === 'claude-code' ? env['CLAUDE_CONFIG_DIR'] : undefined;
  const folders = [moved || join(home, adapter.configFolder), join(cwd, adapter.configFolder)];
  return [...new Set(folders.map((folder) => join(folder, adapter.configFile)))]
    .filter(existsSync)
    .map((file) => ({ host, file, commands: ourCommands(file) }))
    .filter(({ commands }) => commands.length > 0);
}

function ourCommands(file: string): string[] {
  const found: string[] = [];
  const search = (value: unknown): void => {
    if (typeof value === 'string' && OUR_HOOK.test(value)) found.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(search);
  };
  try {
    search(JSON.parse(readFileSync(file, 'utf8').replace(/^\ufeff/, '')));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return found;
}

function missingScript(installed: readonly InstalledFile[]): Finding | null {
  for (const { host, file, commands } of installed)
    for (const command of commands) {
      const quoted = /\bsh '((?:[^']|'\\'')*)'/.exec(command)?.[1];
      const script = quoted?.replaceAll("'\\''", "'");
      if (script !== undefined && !existsSync(script))
        return fail(`${file} runs ${script}, which is gone`, `Run: claude-mem install --host ${host}`);
    }
  return null;
}
