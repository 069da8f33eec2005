import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { HOST_NAMES, type HostName } from '@claude-mem/core';
import { adapterFor, type HostAdapter, type HostPlace } from '@claude-mem/host-adapters';
import type { CommandContext } from './command.js';

/** All hosts that have an adapter. */
export const SUPPORTED_HOSTS: readonly HostAdapter[] = HOST_NAMES.flatMap((name) => adapterFor(name) ?? []);

/** Returns the location of the user configuration of a host. Environment variables of the host can change it. */
export function userLocation(
  { name }: Pick<HostAdapter, 'name'>,
  { env, home }: Pick<CommandContext, 'env' | 'home'>,
): HostPlace {
  const configDir = configDirOf(name, env);
  return { home, ...(configDir && { configDir }) };
}

/** Whether the host is in use: its configuration folder contains files. */
export function isHostInstalled(
  adapter: HostAdapter,
  context: Pick<CommandContext, 'env' | 'home'>,
): boolean {
  const { home, configDir } = userLocation(adapter, context);
  try {
    return readdirSync(configDir ?? join(home, adapter.configFolder)).length > 0;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    // the folder exists but is unreadable; the next step reports the error
    return true;
  }
}

function configDirOf(host: HostName, env: CommandContext['env']): string | undefined {
  switch (host) {
    case 'claude-code':
      return env['CLAUDE_CONFIG_DIR'] || undefined;
    case 'codex':
      return env['CODEX_HOME'] || undefined;
    case 'gemini-cli':
      return env['GEMINI_CLI_HOME'] && join(env['GEMINI_CLI_HOME'], '.gemini');
    case 'opencode':
      return (
        env['OPENCODE_CONFIG_DIR'] || (env['XDG_CONFIG_HOME'] && join(env['XDG_CONFIG_HOME'], 'opencode'))
      );
    default:
      return undefined;
  }
}
