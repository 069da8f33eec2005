import { systemClock, type Clock } from '@claude-mem/core';
import type { AgentProvider } from '../agent-provider.js';
import type { CallTimeouts } from '../model/call-within.js';
import { importPackage } from '../model/import-package.js';
import type { ProviderRow } from '../provider-rows.js';
import { askChat } from './ask-chat.js';
import { adaptHabits, maxTokensOf, type ChatHabits } from './chat-habits.js';
import { failureOfChat } from './failure-of-chat.js';

export type ChatSdk = typeof import('openai');

export interface ChatProviderOptions {
  row: ProviderRow;
  model: string | null;
  /** Says what a call needs, or throws what is missing. */
  setUp: () => ChatSetup;
  /** How the first request is made. */
  habits: ChatHabits;
  /** Nobody sends a bill. */
  isFree: boolean;
  /** @default systemClock */
  clock?: Clock | undefined;
  timeouts?: CallTimeouts | undefined;
  loadSdk?: (() => Promise<ChatSdk>) | undefined;
}

export interface ChatSetup {
  /** What `/chat/completions` is added to. */
  baseUrl: string;
  /** Null: the server wants none. */
  apiKey: string | null;
  model: string;
  /** Besides those that every request needs. */
  headers?: Readonly<Record<string, string>>;
}

/** An observer that speaks chat completions. It keeps no history: each request stands for itself. */
export function createChatProvider(options: ChatProviderOptions): AgentProvider {
  const { row, model, isFree, timeouts, clock = systemClock } = options;
  const { loadSdk = () => import('openai') } = options;
  let { habits } = options;

  return {
    name: row.name,
    model,
    get maxReplyTokens() {
      return maxTokensOf(habits);
    },
    capabilities: { needsWholeTurn: false, readsBatch: false, isFree, resumes: false },
    async startConversation({ signal } = {}) {
      signal?.throwIfAborted();
      const setup = options.setUp();
      const { OpenAI } = await importPackage(row, loadSdk);
      return {
        async send(request, { signal: sendSignal } = {}) {
          for (;;) {
            const used = habits;
            const call = { ...setup, row, isFree, timeouts, clock, OpenAI, habits: used };
            const answer = await askChat(call, request, sendSignal);
            if (answer.kind !== 'refused') return answer;
            // A refusal is not charged, and each way of asking is refused once in the life of a provider
            const adapted = adaptHabits(used, answer.refusal);
            if (!adapted) throw failureOfChat(answer.refusal, call);
            // what another request has learned meanwhile is tried first
            if (habits === used) habits = adapted;
          }
        },
        async [Symbol.asyncDispose]() {},
      };
    },
  };
}
