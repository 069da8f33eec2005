import { existsSync } from 'node:fs';
import { isInUse, lookAtHosts, type HostSight } from '../look-at-hosts.js';
import { describeOtherPlugin } from '../other-plugin-notices.js';
import { fail, ok, warn, type Check, type Finding } from './check.js';

export const hooksCheck: Check = {
  title: 'hooks',
  async run(context) {
    const found = await lookAtHosts(context);
    const inUse = found.filter(isInUse);
    const broken = found.flatMap(({ problem, isThere }) => (isThere && problem !== null ? [problem] : []));
    if (broken.length > 0) return fail(broken.join('\n'), 'Repair the file, then run: claude-mem doctor');
    const other = found.find(({ otherPlugin }) => otherPlugin !== null);
    if (other?.otherPlugin) {
      const { what, fix } = describeOtherPlugin(other.name, other.otherPlugin);
      return warn(what, fix);
    }
    if (inUse.length === 0) return nowhere(found);
    return (
      inUse.map(troubleOf).find((finding) => finding !== null) ??
      ok([...inUse.map(textOf), ...withoutUs(found, inUse)].join('\n'))
    );
  },
};

function nowhere(found: readonly HostSight[]): Finding {
  const here = found.filter(({ isThere }) => isThere).map(({ name }) => name);
  const others = found.map(({ name }) => name).join(', ');
  return here.length > 0
    ? warn(
        `not in the settings of any host. Installed hosts: ${here.join(', ')}`,
        'Run: claude-mem install --host all',
      )
    : warn(
        `no host was found. Supported hosts: ${others}`,
        `Run: claude-mem install --host ${found[0]?.name}, or use the name of your host`,
      );
}

function troubleOf({ name, own, plugin }: HostSight): Finding | null {
  for (const { file, programs } of own)
    for (const program of programs)
      if (!existsSync(program))
        return fail(
          `${file} runs ${program}, which does not exist`,
          `Run: claude-mem install --host ${name}`,
        );
  // earlier versions sent the history of a file before the read
  const older = own.find(({ events }) => name === 'claude-code' && events.includes('PreToolUse'));
  if (older)
    return warn(`${older.file} has hooks of an earlier version`, `Run: claude-mem install --host ${name}`);
  const [twice] = own;
  if (plugin !== null && twice)
    return warn(
      `${name}: both the plugin ${plugin} and ${twice.file} run the hooks`,
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

/** Hosts that are here and know nothing of us: maybe on purpose. */
function withoutUs(found: readonly HostSight[], inUse: readonly HostSight[]): string[] {
  const others = found.filter((sight) => sight.isThere && !inUse.includes(sight)).map(({ name }) => name);
  if (others.length === 0) return [];
  return [
    `not in ${others.join(', ')} (claude-mem install --host ${others.length === 1 ? others[0] : 'all'})`,
  ];
}

function textOf({ name, own, plugin }: HostSight): string {
  if (plugin !== null) return `${name}: plugin ${plugin}`;
  const files = own.map(
    ({ file, events, hasMcpServer }) =>
      `${file} (${[...(events.length > 0 ? ['hooks'] : []), ...(hasMcpServer ? ['MCP server'] : [])].join(', ')})`,
  );
  return `${name}: ${files.join(', ')}`;
}
