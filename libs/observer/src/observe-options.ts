import type { AgentProvider, Conversations } from '@claude-mem/agent-providers';
import type { CallUsage, Clock, Logger, Store, UsageLimits } from '@claude-mem/core';
import type { Mode } from '@claude-mem/settings';
import type { Records } from './read-reply.js';

/** Settings of a request. */
interface RequestOptions {
  mode: Mode;
  language: string;
  verbosity: 'minimal' | 'normal' | 'verbose';
  /** 0: no limit. */
  maxTokens: number;
  limits: UsageLimits;
}

/** Parts with which a batch is observed. */
export interface ObserveOptions {
  store: Store;
  conversations: Conversations;
  /** Returns the current settings. */
  requestOptions(): RequestOptions;
  clock: Clock;
  log: Logger;
}

/** The records of one provider. */
export interface ProviderRecords extends Records {
  provider: AgentProvider;
  model: string | null;
  memorySessionId?: string | null;
  /** The call is still open: the commit of the records settles it. */
  usage?: CallUsage & { callId: number };
}
