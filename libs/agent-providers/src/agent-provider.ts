import type { CallUsage, ObservationDraft, ObserverBatch, SummaryDraft } from '@claude-mem/core';

/** An observer implementation: the local rules, or a model of a vendor. */
export interface AgentProvider {
  readonly name: string;
  /** The configured model. Null when the provider uses none or the vendor chooses it. */
  readonly model: string | null;
  /** The token limit of a reply with the current settings, thinking included. 0 when the provider uses no model. */
  readonly maxReplyTokens: number;
  readonly capabilities: AgentProviderCapabilities;
  /**
   * Opens a conversation about one session. Conversations are independent of each other.
   * @throws ProviderError for every failure, and the abort reason of the signal
   */
  startConversation(options?: StartConversationOptions): Promise<Conversation>;
}

export interface AgentProviderCapabilities {
  /** The provider needs complete turns: do not pass it a part of a turn that is still running. */
  readonly needsCompleteTurn: boolean;
  /**
   * The provider reads the batch itself, so no prompt is written for it and its calls cost nothing. Its records
   * follow from the batch. False for models: their replies are verified.
   */
  readonly readsBatch: boolean;
  /** No vendor charges for the calls. */
  readonly isFree: boolean;
  /** The provider can continue a conversation of an earlier process by its `memorySessionId`. */
  readonly resumes: boolean;
}

export interface StartConversationOptions {
  signal?: AbortSignal;
  /** The `memorySessionId` of an earlier reply. Providers that cannot resume ignore it. */
  resume?: string;
}

export interface Conversation extends AsyncDisposable {
  /**
   * Requests the records of one batch. A batch is self-contained, so a new conversation answers as well as an old
   * one.
   * After an abort the conversation remains usable.
   * @throws the abort reason of the signal
   */
  send(request: ObserverRequest, options?: { signal?: AbortSignal }): Promise<ObserverReply>;
}

/** Both texts are empty for a provider that reads the batch itself. */
export interface ObserverRequest {
  /** The part that is equal in all requests with the same settings. Vendors cache it as a prefix. */
  instructions: string;
  prompt: string;
  batch: ObserverBatch;
}

/** `text` has to be parsed; `records` are final. */
export type ObserverReply =
  | {
      kind: 'text';
      text: string;
      usage: CallUsage;
      /** The model that answered, as the vendor reports it. Null when the vendor does not report it. */
      model: string | null;
      /** The reply reached the token limit, so its end is missing. */
      isTruncated: boolean;
      memorySessionId?: string;
    }
  | {
      kind: 'records';
      observations: ObservationDraft[];
      /** Null when the turn is not complete or contains nothing for a summary. */
      summary: SummaryDraft | null;
      memorySessionId?: string;
    };
