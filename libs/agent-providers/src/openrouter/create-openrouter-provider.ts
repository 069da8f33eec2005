import { PROVIDER_ROWS, type Clock } from '@claude-mem/core';
import type { AgentProvider } from '../agent-provider.js';
import type { CallTimeouts } from '../model/call-within.js';
import { readKey } from '../model/read-key.js';
import { unusableAddress } from '../model/unusable-address.js';
import { readChatAddress } from '../openai-compatible/chat-address.js';
import { habitsFor } from '../openai-compatible/chat-habits.js';
import { createChatProvider, type ChatSdk } from '../openai-compatible/create-chat-provider.js';

export interface OpenRouterProviderOptions {
  apiKey: string;
  /** @default the model of the provider table: a small one that thinks only on request */
  model?: string;
  /** @default the address of the vendor */
  baseUrl?: string;
  /** @default systemClock */
  clock?: Clock;
  timeouts?: CallTimeouts;
  /** Imports the SDK. */
  loadSdk?: () => Promise<ChatSdk>;
}

const ROW = PROVIDER_ROWS.openrouter;
const ADDRESS = 'https://openrouter.ai/api/v1';

/** Identifies the application to the router, which counts requests by title. */
const ATTRIBUTION = { 'HTTP-Referer': 'http://localhost', 'X-Title': 'claude-mem' };

/** Creates an observer that uses a model of OpenRouter, which reports the cost with each reply. */
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
