import type { ObserverName } from './definitions/observer-settings.js';
import type { SettingKey, Settings } from './setting-definitions.js';

/** A setting without which an observer cannot work. */
export interface MissingSetting {
  key: SettingKey;
  /** Completes a sentence that begins with the observer's name. */
  what: string;
  /** The command that sets it. */
  fix: string;
}

/**
 * The observers in the order they are tried, each once. `auto` is the first with a key or an address, else `local`. It never
 * is `claude-code`, which spends the person's own plan and so is only used by its name.
 */
export function observerChain(settings: Settings): readonly ObserverName[] {
  const first =
    settings.provider === 'auto'
      ? (BY_AUTO.find((name) => entryOf(name, settings)?.value !== '') ?? 'local')
      : settings.provider;
  return [...new Set([first, ...(settings.providerFallback as readonly ObserverName[])])];
}

/** The model a person chose for an observer; '' leaves it to the vendor's adapter. */
export function modelOfObserver(name: ObserverName, settings: Settings): string {
  const own = {
    local: '',
    claude: settings.claudeModel,
    'claude-code': settings.claudeCodeModel,
    gemini: settings.geminiModel,
    openrouter: settings.openrouterModel,
    'openai-compatible': settings.openaiModel,
  }[name];
  return own !== '' || name === 'local' || observerChain(settings)[0] !== name ? own : settings.model;
}

/** What has to be set before an observer can work; null when nothing is missing. */
export function missingForObserver(name: ObserverName, settings: Settings): MissingSetting | null {
  const entry = entryOf(name, settings);
  if (entry?.value === '') {
    const { key, what, example } = entry;
    return { key, what, fix: `claude-mem settings set ${[key, example].filter(Boolean).join(' ')}` };
  }
  return name === 'openai-compatible' && modelOfObserver(name, settings) === '' ? NO_MODEL : null;
}

const BY_AUTO = ['claude', 'gemini', 'openrouter', 'openai-compatible'] as const;

/** What an observer cannot do without. A key has no example: the command asks for it, so that it stays out of the shell's history. */
function entryOf(
  name: ObserverName,
  settings: Settings,
): { key: SettingKey; value: string; what: string; example?: string } | null {
  const noKey = 'has no key';
  switch (name) {
    case 'local':
    case 'claude-code':
      return null;
    case 'claude':
      return { key: 'CLAUDE_MEM_ANTHROPIC_API_KEY', value: settings.anthropicApiKey, what: noKey };
    case 'gemini':
      return { key: 'CLAUDE_MEM_GEMINI_API_KEY', value: settings.geminiApiKey, what: noKey };
    case 'openrouter':
      return { key: 'CLAUDE_MEM_OPENROUTER_API_KEY', value: settings.openrouterApiKey, what: noKey };
    case 'openai-compatible':
      return {
        key: 'CLAUDE_MEM_OPENAI_BASE_URL',
        value: settings.openaiBaseUrl,
        what: 'has no address',
        example: 'http://127.0.0.1:11434/v1',
      };
  }
}

const NO_MODEL: MissingSetting = {
  key: 'CLAUDE_MEM_OPENAI_MODEL',
  what: 'has no model',
  fix: 'claude-mem settings set CLAUDE_MEM_OPENAI_MODEL NAME',
};
