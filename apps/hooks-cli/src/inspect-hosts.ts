import { HostAdaptersError, type HostAdapter, type OwnConfig } from '@claude-mem/host-adapters';
import type { CommandContext } from './command.js';
import { isHostInstalled, userLocation, SUPPORTED_HOSTS } from './supported-hosts.js';

/** State of claude-mem in a host, in the configuration of the user and of the current project. */
export interface HostStatus {
  name: HostAdapter['name'];
  /** True when the configuration folder of the host contains files. */
  isInstalled: boolean;
  /** Id of the claude-mem plugin. Null when the host does not run it. */
  plugin: string | null;
  /** Id of the plugin of another program that is also named claude-mem. Null when the host does not run it. */
  otherPlugin: string | null;
  own: readonly OwnConfig[];
  /** Why a configuration file cannot be read. */
  problem: string | null;
}

type HostContext = Pick<CommandContext, 'env' | 'home' | 'cwd'>;

export async function inspectHosts(context: HostContext): Promise<readonly HostStatus[]> {
  return Promise.all(SUPPORTED_HOSTS.map((adapter) => inspectHost(adapter, context)));
}

export const isInUse = ({ own, plugin }: HostStatus) => own.length > 0 || plugin !== null;

async function inspectHost(adapter: HostAdapter, context: HostContext): Promise<HostStatus> {
  const person = userLocation(adapter, context);
  const project = { home: context.home, projectDir: context.cwd };
  const files = [...(await adapter.inspect(person)), ...(await adapter.inspect(project))];
  const own = files.filter(
    ({ file, programs }, index) =>
      programs.length > 0 && files.findIndex((other) => other.file === file) === index,
  );
  const problem = files.find((file) => file.problem)?.problem?.message ?? null;
  const status = { name: adapter.name, isInstalled: isHostInstalled(adapter, context), own };
  try {
    const plugin = adapter.findPlugin?.(person) ?? null;
    return { ...status, plugin, otherPlugin: adapter.findOtherPlugin?.(person) ?? null, problem };
  } catch (error) {
    if (!(error instanceof HostAdaptersError)) throw error;
    return { ...status, plugin: null, otherPlugin: null, problem: problem ?? error.message };
  }
}
