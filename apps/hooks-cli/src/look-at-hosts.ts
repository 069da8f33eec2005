import { HostAdaptersError, type HostAdapter, type OwnConfig } from '@claude-mem/host-adapters';
import type { CommandContext } from './command.js';
import { isHostThere, personalPlace, SUPPORTED_HOSTS } from './host-places.js';

/** What of ours a host has, in the person's configuration and in that of the project where the command was run. */
export interface HostSight {
  name: HostAdapter['name'];
  /** Whether the host has been used here. */
  isThere: boolean;
  /** The id of our plugin, when the host runs it. */
  plugin: string | null;
  /** The id of the plugin of another program that is also named claude-mem, when the host runs it. */
  otherPlugin: string | null;
  own: readonly OwnConfig[];
  /** Why a file of it cannot be read. */
  problem: string | null;
}

type Asker = Pick<CommandContext, 'env' | 'home' | 'cwd'>;

export async function lookAtHosts(context: Asker): Promise<readonly HostSight[]> {
  return Promise.all(SUPPORTED_HOSTS.map((adapter) => lookAt(adapter, context)));
}

export const isInUse = ({ own, plugin }: HostSight) => own.length > 0 || plugin !== null;

async function lookAt(adapter: HostAdapter, context: Asker): Promise<HostSight> {
  const person = personalPlace(adapter, context);
  const project = { home: context.home, projectDir: context.cwd };
  const files = [...(await adapter.inspect(person)), ...(await adapter.inspect(project))];
  const own = files.filter(
    ({ file, programs }, index) =>
      programs.length > 0 && files.findIndex((other) => other.file === file) === index,
  );
  const problem = files.find((file) => file.problem)?.problem?.message ?? null;
  const sight = { name: adapter.name, isThere: isHostThere(adapter, context), own };
  try {
    const plugin = adapter.findPlugin?.(person) ?? null;
    return { ...sight, plugin, otherPlugin: adapter.findOtherPlugin?.(person) ?? null, problem };
  } catch (error) {
    if (!(error instanceof HostAdaptersError)) throw error;
    return { ...sight, plugin: null, otherPlugin: null, problem: problem ?? error.message };
  }
}
