import type { AgentProvider } from '@claude-mem/agent-providers';
import { messageOf, type Clock, type ObserverName } from '@claude-mem/core';
import { missingForObserver, observerChain, type Settings } from '@claude-mem/settings';

/** Functions that load a provider, by its name in the settings. */
export type ProviderTable = Readonly<
  Partial<Record<ObserverName, (settings: Settings, options: { clock: Clock }) => Promise<AgentProvider>>>
>;

/** The configured providers in the order of the settings, and those with incomplete settings. */
export interface ProviderChoice {
  providers: readonly AgentProvider[];
  unready: readonly { name: string; problem: string }[];
}

export async function chooseProviders(
  settings: Settings,
  { table, clock }: { table: ProviderTable; clock: Clock },
): Promise<ProviderChoice> {
  const providers: AgentProvider[] = [];
  const unready: { name: string; problem: string }[] = [];
  for (const name of observerChain(settings)) {
    const found = await loadProvider(name, settings, { table, clock });
    if (typeof found === 'string') unready.push({ name, problem: found });
    else providers.push(found);
  }
  return { providers, unready };
}

async function loadProvider(
  name: ObserverName,
  settings: Settings,
  { table, clock }: { table: ProviderTable; clock: Clock },
): Promise<AgentProvider | string> {
  const load = Object.hasOwn(table, name) ? table[name] : undefined;
  if (load === undefined)
    return `Unknown observer "${name}". Valid values of CLAUDE_MEM_PROVIDER and CLAUDE_MEM_PROVIDER_FALLBACK: ${Object.keys(table).join(', ')}.`;
  const missing = missingForObserver(name, settings);
  if (missing !== null) return `The observer ${name} ${missing.reason}: run "${missing.fix}".`;
  try {
    return await load(settings, { clock });
  } catch (error) {
    return `The observer ${name} cannot be used: ${messageOf(error)}`;
  }
}
