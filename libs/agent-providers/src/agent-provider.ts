import type { CallUsage, ObservationDraft, ObserverBatch, SummaryDraft } from '@claude-mem/core';

/** The role of the observer, played by local rules or by a model vendor. */
export interface AgentProvider {
  readonly name: string;
  /** The model it asks; null where there is none, or where the vendor chooses. */
  readonly model: string | null;
  /** The most that a reply may take as things stand, thoughts included. 0: it asks no model. */
  readonly maxReplyTokens: number;
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
  /**
   * It reads the batch itself: no text is made for it, its calls cost nothing and its records rest on what the batch
   * shows. False for models: they are given text, are paid for, and may claim anything.
   */
  readonly readsBatch: boolean;
  /** Nobody sends a bill for its calls, whatever they take. */
  readonly isFree: boolean;
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

/** Both texts are empty for a provider that reads the batch itself. */
export interface ObserverRequest {
  /** What is the same for every request with the same settings: the prefix that vendors cache. */
  instructions: string;
  /** The batch as text. */
  prompt: string;
  batch: ObserverBatch;
}

/** `text` is still to be parsed; `records` are final. */
export type ObserverReply =
  | {
      kind: 'text';
      text: string;
      usage: CallUsage;
      /** The model that answered, as the vendor names it; null when it does not say. */
      model: string | null;
      /** The model was stopped by its limit: the end is missing. */
      isTruncated: boolean;
      memorySessionId?: string;
    }
  | {
      kind: 'records';
      observations: ObservationDraft[];
      /** Null: nothing happened that is worth a summary, or the turn is not over. */
      summary: SummaryDraft | null;
      memorySessionId?: string;
    };
