import { existsSync } from 'node:fs';
import { HostAdaptersError, type HostAdapter, type OwnConfig } from '@claude-mem/host-adapters';
import type { CommandContext } from '../command.js';
import { isHostThere, personalPlace, SUPPORTED_HOSTS } from '../host-places.js';
import { fail, ok, warn, type Check, type Finding } from './check.js';

export const hooksCheck: Check = {
  title: 'hooks',
  async run(context) {
    const found = await Promise.all(SUPPORTED_HOSTS.map((adapter) => lookAt(adapter, context)));
    const inUse = found.filter(({ own, plugin }) => own.length > 0 || plugin !== null);
    const broken = found.flatMap(({ problem, isThere }) => (isThere && problem !== null ? [problem] : []));
    const [problem] = broken;
    if (problem !== undefined) return fail(problem, 'Repair it, then run: claude-mem doctor');
    if (inUse.length === 0)
      return warn(
        `not in the settings of any host${listOf(' Found here: ', namesOf(found))}`,
        'Run: claude-mem install --host all',
      );
    return (
      inUse.map(troubleOf).find((finding) => finding !== null) ??
      ok([...inUse.map(textOf), ...withoutUs(found, inUse)].join('; '))
    );
  },
};

interface Sight {
  name: string;
  isThere: boolean;
  plugin: string | null;
  own: readonly OwnConfig[];
  problem: string | null;
}

/** The person's configuration, and that of the project where the command was run. */
async function lookAt(adapter: HostAdapter, context: CommandContext): Promise<Sight> {
  const person = personalPlace(adapter, context);
  const project = { home: context.home, projectDir: context.cwd };
  const sight = { name: adapter.name, isThere: isHostThere(adapter, context) };
  try {
    const files = [...(await adapter.inspect(person)), ...(await adapter.inspect(project))];
    const own = files.filter(
      ({ file, programs }, index) =>
        programs.length > 0 && files.findIndex((other) => other.file === file) === index,
    );
    return { ...sight, plugin: adapter.findPlugin?.(person) ?? null, own, problem: null };
  } catch (error) {
    if (!(error instanceof HostAdaptersError)) throw error;
    return { ...sight, plugin: null, own: [], problem: error.message };
  }
}

function troubleOf({ name, own, plugin }: Sight): Finding | null {
  for (const { file, programs } of own)
    for (const program of programs)
      if (!existsSync(program))
        return fail(`${file} runs ${program}, which is gone`, `Run: claude-mem install --host ${name}`);
  const [twice] = own;
  if (plugin !== null && twice)
    return warn(
      `${name}: both the plugin ${plugin} and ${twice.file} run them`,
      `Run: claude-mem uninstall --host ${name}`,
    );
  const hasHooks = own.some(({ events }) => events.length > 0);
  if (plugin === null && !hasHooks)
    return warn(
      `${name}: the MCP server is there, the hooks are not`,
      `Run: claude-mem install --host ${name}`,
    );
  return null;
}

/** Hosts that are here and know nothing of us: maybe on purpose. */
function withoutUs(found: readonly Sight[], inUse: readonly Sight[]): string[] {
  const others = found.filter((sight) => sight.isThere && !inUse.includes(sight)).map(({ name }) => name);
  if (others.length === 0) return [];
  return [
    `not in ${others.join(', ')} (claude-mem install --host ${others.length === 1 ? others[0] : 'all'})`,
  ];
}

function textOf({ name, own, plugin }: Sight): string {
  if (plugin !== null) return `${name}: plugin ${plugin}`;
  const files = own.map(
    ({ file, events, hasMcpServer }) =>
      `${file} (${[...(events.length > 0 ? ['hooks'] : []), ...(hasMcpServer ? ['MCP server'] : [])].join(', ')})`,
  );
  return `${name}: ${files.join(', ')}`;
}

const namesOf = (found: readonly Sight[]) => found.filter(({ isThere }) => isThere).map(({ name }) => name);
const listOf = (lead: string, names: readonly string[]) =>
  names.length === 0 ? '' : `.${lead}${names.join(', ')}`;
