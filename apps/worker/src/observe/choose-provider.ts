import type { AgentProvider } from '@claude-mem/agent-providers';
import type { Settings } from '@claude-mem/settings';

export type ProviderChoice =
  | { kind: 'ready'; provider: AgentProvider; model: string | null }
  /** Nobody can observe until a person changes something; what waits is kept. */
  | { kind: 'setup-required'; name: string; problem: string };

/** Providers that this worker has, by the name of the setting. Loaded when first asked for. */
export type ProviderTable = Readonly<Record<string, () => Promise<AgentProvider>>>;

/** The first provider of the setting and its fallbacks that this worker has. `auto` is the local one. */
export async function chooseProvider(settings: Settings, providers: ProviderTable): Promise<ProviderChoice> {
  const wanted = [settings.provider, ...settings.providerFallback];
  for (const name of wanted) {
    const load = providers[name === 'auto' ? 'local' : name];
    if (load === undefined) continue;
    return { kind: 'ready', provider: await load(), model: settings.model === '' ? null : settings.model };
  }
  return {
    kind: 'setup-required',
    name: settings.provider,
    problem: `The observer "${settings.provider}" is not part of this version; events are kept until CLAUDE_MEM_PROVIDER names one of: auto, ${Object.keys(providers).join(', ')}.`,
  };
}
