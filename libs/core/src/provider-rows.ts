/** One observer as users see it: its name, its requirements and its settings. */
export interface ProviderRow {
  name: string;
  /** Optional package that the user has to install. */
  package: string | null;
  keySetting: string | null;
  modelSetting: string | null;
  baseUrlSetting: string | null;
  /** The setting without which the observer cannot work. */
  requires: 'key' | 'address' | null;
  /** The default model. Null when the user or the vendor chooses it. */
  defaultModel: string | null;
  /** What the user has to provide. */
  needs: string;
}

/** All observers in display order. */
export const PROVIDER_ROWS = {
  local: {
    name: 'local',
    package: null,
    keySetting: null,
    modelSetting: null,
    baseUrlSetting: null,
    requires: null,
    defaultModel: null,
    needs: 'nothing',
  },
  claude: {
    name: 'claude',
    package: '@anthropic-ai/sdk',
    keySetting: 'CLAUDE_MEM_ANTHROPIC_API_KEY',
    modelSetting: 'CLAUDE_MEM_CLAUDE_MODEL',
    baseUrlSetting: 'CLAUDE_MEM_ANTHROPIC_BASE_URL',
    requires: 'key',
    defaultModel: 'claude-haiku-5-5',
    needs: 'a key of the Claude API',
  },
  'claude-code': {
    name: 'claude-code',
    package: '@anthropic-ai/claude-agent-sdk',
    keySetting: null,
    modelSetting: 'CLAUDE_MEM_CLAUDE_CODE_MODEL',
    baseUrlSetting: null,
    requires: null,
    defaultModel: 'haiku',
    needs: 'Claude Code, logged in',
  },
  gemini: {
    name: 'gemini',
    package: '@google/generative-ai',
    keySetting: 'CLAUDE_MEM_GEMINI_API_KEY',
    modelSetting: 'CLAUDE_MEM_GEMINI_MODEL',
    baseUrlSetting: 'CLAUDE_MEM_GEMINI_BASE_URL',
    requires: 'key',
    defaultModel: 'gemini-2.5-flash-lite',
    needs: 'a key of the Gemini API',
  },
  openrouter: {
    name: 'openrouter',
    package: 'openai',
    keySetting: 'CLAUDE_MEM_OPENROUTER_API_KEY',
    modelSetting: 'CLAUDE_MEM_OPENROUTER_MODEL',
    baseUrlSetting: 'CLAUDE_MEM_OPENROUTER_BASE_URL',
    requires: 'key',
    defaultModel: 'google/gemini-2.5-flash-lite',
    needs: 'a key of OpenRouter',
  },
  'openai-compatible': {
    name: 'openai-compatible',
    package: 'openai',
    keySetting: 'CLAUDE_MEM_OPENAI_API_KEY',
    modelSetting: 'CLAUDE_MEM_OPENAI_MODEL',
    baseUrlSetting: 'CLAUDE_MEM_OPENAI_BASE_URL',
    requires: 'address',
    defaultModel: null,
    needs:
      'an address and a model, such as those of Ollama, LM Studio or vLLM; a key where the server wants one',
  },
} as const satisfies Record<string, ProviderRow>;

export type ObserverName = keyof typeof PROVIDER_ROWS;

export const OBSERVER_NAMES = Object.keys(PROVIDER_ROWS) as readonly ObserverName[];
