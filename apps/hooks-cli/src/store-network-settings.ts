import { changeSettings, type SettingKey } from '@claude-mem/settings';
import type { CommandContext } from './command.js';

const KEYS = [
  'CLAUDE_MEM_CA_FILE',
  'CLAUDE_MEM_PROXY',
  'CLAUDE_MEM_NO_PROXY',
] as const satisfies SettingKey[];

/** Returns network settings that come only from standard variables such as HTTPS_PROXY. A worker that a host starts may not have them. */
export function inheritedNetworkSettings({
  env,
  loaded,
}: Pick<CommandContext, 'env' | 'loaded'>): Partial<Record<(typeof KEYS)[number], string>> {
  const { caFile, proxy, noProxy } = loaded.settings;
  const values = {
    CLAUDE_MEM_CA_FILE: caFile,
    CLAUDE_MEM_PROXY: proxy,
    CLAUDE_MEM_NO_PROXY: proxy === '' ? '' : noProxy.join(','),
  };
  const inherited = KEYS.filter((key) => loaded.sources[key] === 'env' && !env[key] && values[key] !== '');
  return Object.fromEntries(inherited.map((key) => [key, values[key]]));
}

/** Writes the network settings of the environment to the settings file for all workers. Prints them without passwords. */
export async function storeNetworkSettings(context: CommandContext): Promise<void> {
  const changes = inheritedNetworkSettings(context);
  if (Object.keys(changes).length === 0 || !context.loaded.isFileUsable) return;
  await changeSettings(context.loaded.paths.settingsFile, changes);
  context.terminal.print('Stored from the environment, for all projects:');
  // the part of a proxy address before the "@" can contain a password
  for (const [key, value] of Object.entries(changes))
    context.terminal.print(
      `  ${key} = ${key === 'CLAUDE_MEM_PROXY' ? value.replace(/^.*@/, '****@') : value}`,
    );
}
