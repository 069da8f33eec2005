import { PROVIDER_ROWS, type Clock } from '@claude-mem/core';
import type { AgentProvider } from '../agent-provider.js';
import type { CallTimeouts } from '../model/call-within.js';
import { readKey } from '../model/read-key.js';
import { unusableAddress } from '../model/unusable-address.js';
import { ProviderError } from '../provider-error.js';
import { isOwnNetwork, readChatAddress } from './chat-address.js';
import { habitsFor } from './chat-habits.js';
import { createChatProvider, type ChatSdk } from './create-chat-provider.js';

export interface OpenAiCompatibleProviderOptions {
  /** With or without `/v1`. */
  baseUrl: string;
  /** Most local servers do not require a key. */
  apiKey?: string;
  /** Required, because servers have different models. */
  model?: string;
  /** @default systemClock */
  clock?: Clock;
  /** @default those of every call, but five and ten minutes for a local server, which first loads its model */
  timeouts?: CallTimeouts;
  /** Imports the SDK. */
  loadSdk?: () => Promise<ChatSdk>;
}

const ROW = PROVIDER_ROWS['openai-compatible'];

/**
 * Creates an observer that uses a model of any server with a chat completions API, such as Ollama, LM Studio, vLLM or
 * OpenAI.
 */
export function createOpenAiCompatibleProvider(options: OpenAiCompatibleProviderOptions): AgentProvider {
  const { apiKey = '', model = '', clock, loadSdk } = options;
  const baseUrl = readChatAddress(options.baseUrl);
  const isOwn = baseUrl !== null && isOwnNetwork(baseUrl);
  return createChatProvider({
    row: ROW,
    model: model === '' ? null : model,
    habits: habitsFor(baseUrl, model),
    isFree: isOwn || apiKey.trim() === '',
    timeouts: options.timeouts ?? (isOwn ? PATIENT : {}),
    clock,
    loadSdk,
    setUp() {
      if (baseUrl === null) throw unusableAddress(ROW, 'http://127.0.0.1:11434/v1');
      if (model === '') throw noModel();
      return {
        baseUrl,
        model,
        apiKey: apiKey.trim() === '' ? null : readKey(ROW, apiKey),
      };
    },
  });
}

/** A machine without a GPU reads a prompt for minutes before its first token. */
const PATIENT: CallTimeouts = { firstByteMs: 300_000, totalMs: 600_000 };

const noModel = () =>
  new ProviderError(
    'setup-required',
    `The ${ROW.name} observer has no model: run "claude-mem settings set ${ROW.modelSetting} NAME".`,
    { data: { provider: ROW.name } },
  );
