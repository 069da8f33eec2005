import { systemClock, type Clock } from '@claude-mem/core';
import type {
  AgentProvider,
  AgentProviderCapabilities,
  ObserverReply,
  ObserverRequest,
} from '../agent-provider.js';

/** One answer of the fake: a reply, a failure, or no answer. Each may come after a delay. */
export type ScriptStep =
  | { reply: ObserverReply | ((request: ObserverRequest) => ObserverReply); delayMs?: number }
  | { error: Error; delayMs?: number }
  | { hang: true };

export interface ScriptedProviderOptions {
  /** @default 'scripted' */
  name?: string;
  /** @default null */
  model?: string | null;
  /** @default all false */
  capabilities?: Partial<AgentProviderCapabilities>;
  /** The clock of the delays. @default systemClock */
  clock?: Clock;
  /** The answer after the end of the script. @default no records */
  otherwise?: ScriptStep;
  /** Makes `startConversation` reject. */
  startError?: Error;
}

export interface ScriptedProvider extends AgentProvider {
  /** All requests, oldest first. */
  readonly requests: readonly ObserverRequest[];
  readonly conversations: { readonly started: number; readonly disposed: number };
  /** The `resume` value of each start, in order. */
  readonly resumed: readonly (string | undefined)[];
  /** Appends answers to the script. */
  push(...steps: ScriptStep[]): void;
}

const NOTHING: ScriptStep = { reply: { kind: 'records', observations: [], summary: null } };

/** Creates a provider that answers from a script across all its conversations, and records its requests. */
export function createScriptedProvider(
  script: readonly ScriptStep[] = [],
  options: ScriptedProviderOptions = {},
): ScriptedProvider {
  const { clock = systemClock, otherwise = NOTHING, startError } = options;
  const steps = [...script];
  const requests: ObserverRequest[] = [];
  const resumed: (string | undefined)[] = [];
  const conversations = { started: 0, disposed: 0 };

  return {
    name: options.name ?? 'scripted',
    model: options.model ?? null,
    maxReplyTokens: 1_000,
    capabilities: {
      needsCompleteTurn: false,
      readsBatch: false,
      isFree: false,
      resumes: false,
      ...options.capabilities,
    },
    requests,
    resumed,
    conversations,
    push: (...more) => void steps.push(...more),
    async startConversation({ signal, resume } = {}) {
      signal?.throwIfAborted();
      if (startError) throw startError;
      conversations.started += 1;
      resumed.push(resume);
      let isDisposed = false;
      return {
        async send(request, { signal: sendSignal } = {}) {
          sendSignal?.throwIfAborted();
          requests.push(request);
          return answer(steps.shift() ?? otherwise, request, clock, sendSignal);
        },
        async [Symbol.asyncDispose]() {
          if (!isDisposed) conversations.disposed += 1;
          isDisposed = true;
        },
      };
    },
  };
}

async function answer(step: ScriptStep, request: ObserverRequest, clock: Clock, signal?: AbortSignal) {
  if ('hang' in step) return never(signal);
  if (step.delayMs !== undefined) await clock.sleep(step.delayMs, signal ? { signal } : {});
  if ('error' in step) throw step.error;
  return typeof step.reply === 'function' ? step.reply(request) : step.reply;
}

function never(signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
