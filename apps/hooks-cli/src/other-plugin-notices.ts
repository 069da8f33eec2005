import { OTHER_CLAUDE_MEM } from '@claude-mem/core';
import type { CommandContext } from './command.js';
import { inspectHosts, type HostStatus } from './inspect-hosts.js';

/** Explains why another plugin of the same name is a problem, and how to disable it. */
export const describeOtherPlugin = (host: string, plugin: string) => ({
  message: `${host}: the plugin ${plugin} belongs to ${OTHER_CLAUDE_MEM}. It records the same sessions and injects its own context.`,
  fix: `Run: claude plugin disable ${plugin}`,
});

/** Returns one notice for each host that runs such a plugin. */
export async function otherPluginNotices(
  context: Pick<CommandContext, 'env' | 'home' | 'cwd'>,
): Promise<readonly string[]> {
  const hosts: readonly HostStatus[] = await inspectHosts(context);
  return hosts.flatMap(({ name, otherPlugin }) => {
    if (otherPlugin === null) return [];
    const { message, fix } = describeOtherPlugin(name, otherPlugin);
    return [`${message} ${fix}`];
  });
}
