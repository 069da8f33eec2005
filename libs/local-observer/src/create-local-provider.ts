import type { AgentProvider } from '@claude-mem/agent-providers';
import { runWithPauses } from '@claude-mem/evidence';
import { observeSteps } from './observe-turn.js';

export interface LocalProviderOptions {
  /** @default 'local' */
  name?: string;
  /**
   * Called every few milliseconds, so that a large turn does not block the process.
   * @default one turn of the event loop
   */
  pause?: () => Promise<void>;
}

/**
 * Creates the observer `local`, which applies fixed rules to the evidence and the closing message of a turn. It uses no
 * model and no tokens and keeps no state between batches.
 */
export function createLocalProvider(options: LocalProviderOptions = {}): AgentProvider {
  const { pause } = options;
  return {
    name: options.name ?? 'local',
    model: null,
    maxReplyTokens: 0,
    capabilities: { needsCompleteTurn: true, readsBatch: true, isFree: true, resumes: false },
    async startConversation({ signal } = {}) {
      signal?.throwIfAborted();
      return {
        async send({ batch }, { signal: sendSignal } = {}) {
          sendSignal?.throwIfAborted();
          const steps = observeSteps(batch);
          return {
            kind: 'records',
            ...(await runWithPauses(steps, { pause, signal: sendSignal })),
          };
        },
        async [Symbol.asyncDispose]() {},
      };
    },
  };
}
