import type { Clock } from '@claude-mem/core';
import type { AgentProvider } from '../agent-provider.js';
import type { CallTimeouts } from '../model/call-within.js';
import { readKey } from '../model/read-key.js';
import { unusableAddress } from '../model/unusable-address.js';
import { readChatAddress } from '../openai-compatible/chat-address.js';
import { habitsFor } from '../openai-compatible/chat-habits.js';
import { createChatProvider, type ChatSdk } from '../openai-compatible/create-chat-provider.js';
import { PROVIDER_ROWS } from '../provider-rows.js';

export interface OpenRouterProviderOptions {
  apiKey: string;
  /** @default the row's: a small one that does not think unless asked to */
  model?: string;
  /** @default the vendor's */
  baseUrl?: string;
  /** @default systemClock */
  clock?: Clock;
  timeouts?: CallTimeouts;
  /** Imports the vendor's package. */
  loadSdk?: () => Promise<ChatSdk>;
}

const ROW = PROVIDER_ROWS.openrouter;
const ADDRESS = 'https://openrouter.ai/api/v1';

/** Who asks, as the router counts it: an application of this machine, known by its title. */
const ATTRIBUTION = { 'HTTP-Referer': 'http://localhost', 'X-Title': 'claude-mem' };

/** The observer played by a model behind OpenRouter, which says with each reply what it charged. */
export function createOpenRouterProvider(options: OpenRouterProviderOptions): AgentProvider {
  const { apiKey, model = ROW.defaultModel, clock, timeouts, loadSdk } = options;
  const baseUrl = readChatAddress(options.baseUrl ?? ADDRESS);
  return createChatProvider({
    row: ROW,
    model,
    habits: { ...habitsFor(baseUrl, model), reasoning: { reasoning: { enabled: false } } },
    isFree: false,
    clock,
    timeouts,
    loadSdk,
    setUp() {
      if (baseUrl === null) throw unusableAddress(ROW, ADDRESS);
      return {
        baseUrl,
        model,
        apiKey: readKey(ROW, apiKey),
        headers: ATTRIBUTION,
      };
    },
  });
}
