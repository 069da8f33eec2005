import type { AgentProvider } from '../agent-provider.js';
import { observeTurn } from './observe-turn.js';

export interface LocalProviderOptions {
  /** @default 'local' */
  name?: string;
}

/**
 * The observer that needs no model: deterministic rules over what the turn shows and what its closing message says.
 * Costs no tokens, waits for nothing and keeps nothing between two batches.
 */
export function createLocalProvider(options: LocalProviderOptions = {}): AgentProvider {
  return {
    name: options.name ?? 'local',
    capabilities: { needsWholeTurn: true, resumes: false },
    async startConversation({ signal } = {}) {
      signal?.throwIfAborted();
      return {
        async send({ batch }, { signal: sendSignal } = {}) {
          sendSignal?.throwIfAborted();
          return { kind: 'records', ...observeTurn(batch) };
        },
        async [Symbol.asyncDispose]() {},
      };
    },
  };
}
