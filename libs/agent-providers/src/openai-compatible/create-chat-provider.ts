import { systemClock, type Clock, type ProviderRow } from '@claude-mem/core';
import type { AgentProvider } from '../agent-provider.js';
import type { CallTimeouts } from '../model/call-within.js';
import { importPackage } from '../model/import-package.js';
import { askChat, type ChatSetup } from './ask-chat.js';
import { adaptHabits, maxTokensOf, type ChatHabits } from './chat-habits.js';
import { failureOfChat } from './failure-of-chat.js';

export type ChatSdk = typeof import('openai');

export interface ChatProviderOptions {
  row: ProviderRow;
  model: string | null;
  /** Returns the options of a call, or throws an error that names the missing setting. */
  setUp: () => ChatSetup;
  /** The parameters of the first request. */
  habits: ChatHabits;
  /** No vendor charges for the calls. */
  isFree: boolean;
  /** @default systemClock */
  clock?: Clock | undefined;
  timeouts?: CallTimeouts | undefined;
  loadSdk?: (() => Promise<ChatSdk>) | undefined;
}

/** Creates an observer that uses the chat completions API. Each request is independent. */
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
    capabilities: { needsCompleteTurn: false, readsBatch: false, isFree, resumes: false },
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
            // A refusal costs nothing, and each parameter is refused once per provider.
            const adapted = adaptHabits(used, answer.refusal);
            if (!adapted) throw failureOfChat(answer.refusal, call);
            // A request that ran at the same time may have learned other parameters.
            if (habits === used) habits = adapted;
          }
        },
        async [Symbol.asyncDispose]() {},
      };
    },
  };
}
