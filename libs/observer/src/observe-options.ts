import type { AgentProvider, Conversations } from '@claude-mem/agent-providers';
import type { CallUsage, Clock, Logger, Store, UsageLimits } from '@claude-mem/core';
import type { Mode } from '@claude-mem/settings';
import type { Records } from './read-reply.js';

/** Options of a request to a provider. */
interface RequestOptions {
  mode: Mode;
  language: string;
  verbosity: 'minimal' | 'normal' | 'verbose';
  /** Maximum tokens of a request; 0 means no limit. */
  maxTokens: number;
  limits: UsageLimits;
}

/** Dependencies for processing a batch. */
export interface ObserveOptions {
  store: Store;
  conversations: Conversations;
  /** Returns the current settings. */
  requestOptions(): RequestOptions;
  clock: Clock;
  log: Logger;
}

/** The records from the reply of one provider. */
export interface ProviderRecords extends Records {
  provider: AgentProvider;
  model: string | null;
  memorySessionId?: string | null;
  /** Usage of the call. The commit of the records settles its reservation. */
  usage?: CallUsage & { callId: number };
}
