import { OTHER_CLAUDE_MEM } from '@claude-mem/core';
import type { CommandContext } from './command.js';
import { lookAtHosts, type HostSight } from './look-at-hosts.js';

/** Why a plugin of the same name is a problem, and the command that ends it. */
export const describeOtherPlugin = (host: string, plugin: string) => ({
  what: `${host}: the plugin ${plugin} belongs to ${OTHER_CLAUDE_MEM}. It records the same sessions and injects its own context.`,
  fix: `Run: claude plugin disable ${plugin}`,
});

/** One sentence for each host that runs such a plugin. */
export async function otherPluginNotices(
  context: Pick<CommandContext, 'env' | 'home' | 'cwd'>,
): Promise<readonly string[]> {
  const hosts: readonly HostSight[] = await lookAtHosts(context);
  return hosts.flatMap(({ name, otherPlugin }) => {
    if (otherPlugin === null) return [];
    const { what, fix } = describeOtherPlugin(name, otherPlugin);
    return [`${what} ${fix}`];
  });
}
