import { existsSync } from 'node:fs';
import { isInUse, inspectHosts, type HostStatus } from '../inspect-hosts.js';
import { describeOtherPlugin } from '../other-plugin-notices.js';
import { fail, ok, warn, type Check, type CheckResult } from './check.js';

export const hooksCheck: Check = {
  title: 'hooks',
  async run(context) {
    const found = await inspectHosts(context);
    const inUse = found.filter(isInUse);
    const broken = found.flatMap(({ problem, isInstalled }) =>
      isInstalled && problem !== null ? [problem] : [],
    );
    if (broken.length > 0) return fail(broken.join('\n'), 'Repair the file, then run: claude-mem doctor');
    const other = found.find(({ otherPlugin }) => otherPlugin !== null);
    if (other?.otherPlugin) {
      const { message, fix } = describeOtherPlugin(other.name, other.otherPlugin);
      return warn(message, fix);
    }
    if (inUse.length === 0) return notInstalled(found);
    return (
      inUse.map(findProblem).find((result) => result !== null) ??
      ok([...inUse.map(formatHost), ...listHostsWithoutHooks(found, inUse)].join('\n'))
    );
  },
};

function notInstalled(found: readonly HostStatus[]): CheckResult {
  const installed = found.filter(({ isInstalled }) => isInstalled).map(({ name }) => name);
  const others = found.map(({ name }) => name).join(', ');
  return installed.length > 0
    ? warn(
        `not in the settings of any host. Installed hosts: ${installed.join(', ')}`,
        'Run: claude-mem install --host all',
      )
    : warn(
        `no host was found. Supported hosts: ${others}`,
        `Run: claude-mem install --host ${found[0]?.name}, or use the name of your host`,
      );
}

function findProblem({ name, own, plugin }: HostStatus): CheckResult | null {
  for (const { file, programs } of own)
    for (const program of programs)
      if (!existsSync(program))
        return fail(
          `${file} runs ${program}, which does not exist`,
          `Run: claude-mem install --host ${name}`,
        );
  // earlier versions injected the history of a file before the read
  const older = own.find(({ events }) => name === 'claude-code' && events.includes('PreToolUse'));
  if (older)
    return warn(`${older.file} has hooks of an earlier version`, `Run: claude-mem install --host ${name}`);
  const [duplicate] = own;
  if (plugin !== null && duplicate)
    return warn(
      `${name}: both the plugin ${plugin} and ${duplicate.file} run the hooks`,
      `Run: claude-mem uninstall --host ${name}`,
    );
  const hasHooks = own.some(({ events }) => events.length > 0);
  if (plugin === null && !hasHooks)
    return warn(
      `${name}: the MCP server is installed, but the hooks are not`,
      `Run: claude-mem install --host ${name}`,
    );
  return null;
}

/** Lists installed hosts without claude-mem. This is no problem, because the user may want it. */
function listHostsWithoutHooks(found: readonly HostStatus[], inUse: readonly HostStatus[]): string[] {
  const others = found
    .filter((status) => status.isInstalled && !inUse.includes(status))
    .map(({ name }) => name);
  if (others.length === 0) return [];
  return [
    `not in ${others.join(', ')} (claude-mem install --host ${others.length === 1 ? others[0] : 'all'})`,
  ];
}

function formatHost({ name, own, plugin }: HostStatus): string {
  if (plugin !== null) return `${name}: plugin ${plugin}`;
  const files = own.map(
    ({ file, events, hasMcpServer }) =>
      `${file} (${[...(events.length > 0 ? ['hooks'] : []), ...(hasMcpServer ? ['MCP server'] : [])].join(', ')})`,
  );
  return `${name}: ${files.join(', ')}`;
}
