import { networkEnvironment } from './use-network-settings.js';
import { dataPaths, modelOfObserver } from '@claude-mem/settings';
import type { ProviderTable } from '@claude-mem/observer';

/**
 * All providers with their settings. Of the worker's environment `env`, the child process of `claude-code` gets the
 * variables that it needs.
 */
export function createProviderTable({
  env,
}: {
  env: Readonly<Record<string, string | undefined>>;
}): ProviderTable {
  return {
    local: async () => (await import('@claude-mem/local-observer')).createLocalProvider(),
    claude: async (settings, { clock }) => {
      const { createClaudeProvider } = await import('@claude-mem/agent-providers/claude');
      const { anthropicApiKey: apiKey, anthropicBaseUrl: baseUrl } = settings;
      const model = modelOfObserver('claude', settings);
      return createClaudeProvider({ apiKey, clock, ...filled({ baseUrl, model }) });
    },
    'claude-code': async (settings, { clock }) => {
      const { createClaudeCodeProvider } = await import('@claude-mem/agent-providers/claude-code');
      const { dataDir, observerDir: folder } = dataPaths(settings.dataDir);
      const model = modelOfObserver('claude-code', settings);
      return createClaudeCodeProvider({
        folder,
        dataDir,
        env: { ...env, ...networkEnvironment(settings) },
        clock,
        ...filled({ executable: settings.claudeCodePath, model }),
      });
    },
    gemini: async (settings, { clock }) => {
      const { createGeminiProvider } = await import('@claude-mem/agent-providers/gemini');
      const { geminiApiKey: apiKey, geminiBaseUrl: baseUrl } = settings;
      const model = modelOfObserver('gemini', settings);
      return createGeminiProvider({ apiKey, clock, ...filled({ baseUrl, model }) });
    },
    openrouter: async (settings, { clock }) => {
      const { createOpenRouterProvider } = await import('@claude-mem/agent-providers/openrouter');
      const { openrouterApiKey: apiKey, openrouterBaseUrl: baseUrl } = settings;
      const model = modelOfObserver('openrouter', settings);
      return createOpenRouterProvider({ apiKey, clock, ...filled({ baseUrl, model }) });
    },
    'openai-compatible': async (settings, { clock }) => {
      const { createOpenAiCompatibleProvider } =
        await import('@claude-mem/agent-providers/openai-compatible');
      const { openaiApiKey: apiKey, openaiBaseUrl: baseUrl } = settings;
      const model = modelOfObserver('openai-compatible', settings);
      return createOpenAiCompatibleProvider({ baseUrl, clock, ...filled({ apiKey, model }) });
    },
  };
}

/** An empty setting counts as missing: the provider uses its default. */
function filled<Values extends Record<string, string>>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as Partial<Values>;
}
