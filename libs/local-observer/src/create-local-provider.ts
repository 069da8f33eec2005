import type { AgentProvider } from '@claude-mem/agent-providers';
import { runWithPauses } from '@claude-mem/evidence';
import { observeSteps } from './observe-turn.js';

export interface LocalProviderOptions {
  /** @default 'local' */
  name?: string;
  /**
   * Called every few milliseconds of work, so that a huge turn does not hold up everything else in the process.
   * @default one round of the event loop
   */
  pause?: () => Promise<void>;
}

/**
 * The observer that needs no model: deterministic rules over what the turn shows and what its closing message says.
 * Costs no tokens, needs nothing but time to work and keeps nothing between two batches.
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
