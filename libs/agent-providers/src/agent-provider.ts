import type { ObservationDraft, ObserverBatch, SummaryDraft } from '@claude-mem/core';

/** The role of the observer, played by local rules or by a model vendor. */
export interface AgentProvider {
  readonly name: string;
  readonly capabilities: AgentProviderCapabilities;
  /**
   * Opens one conversation about one session. Conversations are independent of each other.
   * Rejects with the signal's own reason when aborted, with a `ProviderError` for everything else.
   */
  startConversation(options?: StartConversationOptions): Promise<Conversation>;
}

export interface AgentProviderCapabilities {
  /** It reads a turn as a whole: do not hand it a part while the turn is still running. */
  readonly needsWholeTurn: boolean;
  /** It can go on with a conversation of an earlier process, by the `memorySessionId` of its replies. */
  readonly resumes: boolean;
}

export interface StartConversationOptions {
  signal?: AbortSignal;
  /** `memorySessionId` of an earlier reply; ignored by providers that do not resume. */
  resume?: string;
}

export interface Conversation extends AsyncDisposable {
  /**
   * Asks for the records of one batch. A batch says all that is needed, so the answer of a fresh conversation is as
   * good. Aborting passes the signal's own reason through and leaves the conversation usable.
   */
  send(request: ObserverRequest, options?: { signal?: AbortSignal }): Promise<ObserverReply>;
}

export interface ObserverRequest {
  /** The batch as text for a model; providers without one read `batch` instead. */
  prompt: string;
  batch: ObserverBatch;
}

/** `text` is still to be parsed; `records` are final. */
export type ObserverReply =
  | { kind: 'text'; text: string; usage: ProviderUsage; memorySessionId?: string }
  | {
      kind: 'records';
      observations: ObservationDraft[];
      /** Null: nothing happened that is worth a summary, or the turn is not over. */
      summary: SummaryDraft | null;
      memorySessionId?: string;
    };

export interface ProviderUsage {
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  estimatedCostUsd: number;
}
