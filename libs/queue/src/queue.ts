import type { PendingMessage } from '@claude-mem/core';

/** The reason why a batch could not be processed. */
export interface QueueFailure {
  /** One sentence that is stored with the message. It must not contain prompt text or payloads. */
  message: string;
  /** False when a retry cannot succeed. Messages are then parked immediately, and a provider is paused for longer. */
  retryable: boolean;
  /**
   * Requested wait in milliseconds. It replaces the backoff unless it is 0. For a provider, the longer of both is used.
   */
  retryAfterMs?: number;
  /**
   * The scope determines the retry.
   * `message`: one message of the batch is the cause. A batch is split until the poison message is alone. Only this
   * message counts attempts and is parked.
   * `batch`: the reply for the complete batch was invalid, and another request is expensive. All messages count an
   * attempt, without a search for a poison message. The last attempt uses small parts.
   * `provider`: quota, login, setup, rate limit, outage or full disk. No attempt is counted, and the queue is paused.
   * `session`: only this session is paused for `retryAfterMs` or `pauseMs`, for example at its own limit. No attempt is
   * counted.
   */
  scope: 'message' | 'batch' | 'provider' | 'session';
}

/**
 * Claimed messages of one turn and of the preceding turns without tool uses, in order. The lease is renewed until the
 * batch is confirmed or released. Disposing an unsettled batch releases it after a backoff, without an attempt.
 */
export interface HeldBatch extends AsyncDisposable {
  readonly sessionId: number;
  /** Number of the newest prompt in the batch. */
  readonly promptNumber: number;
  readonly messages: readonly PendingMessage[];
  /** True when the batch contains the end of the newest turn, so that a summary is also required. */
  readonly isTurnOver: boolean;
  /**
   * Settles the batch. Call this function after `Store.commitReply` has stored the result and deleted all messages of
   * the batch.
   */
  confirm(): void;
  /**
   * Releases the batch, or parks it after its last attempt. Does nothing when the batch is already settled.
   * With a failure, the promise rejects when the storage fails. The queue then retries the release until the storage
   * accepts it.
   */
  release(error?: QueueFailure): Promise<void>;
}

export interface QueueActivity {
  /** Number of batches that are currently held. */
  running: number;
  /** Time until which the queue is paused, in epoch milliseconds. Null when the queue is not paused. */
  pausedUntil: number | null;
  /** The failure that caused the pause, or null when the queue is not paused. */
  pauseReason: string | null;
  /** Number of sessions that are paused individually. */
  pausedSessions: number;
  /** The newest failure that paused a session, or null when no session is paused. */
  sessionPauseReason: string | null;
}

export type HandleBatch = (batch: HeldBatch, options: { signal: AbortSignal }) => Promise<void>;

/** Creates batches from pending messages. One process owns a queue, with one `Queue` per storage. */
export interface Queue {
  /** Reports that messages were committed and wakes all waiting loops. A notification before the wait is not lost. */
  notify(): void;
  /**
   * Flushes the current pending messages of a session, also of a running turn. Later messages are flushed as usual.
   * Resolves when these messages were processed or cannot be processed now, or when the signal is aborted.
   */
  flush(options: { sessionId: number; signal: AbortSignal }): Promise<void>;
  /**
   * Returns the batches of one session in order as they become due. Waits between batches, retries after storage
   * errors, and ends only on abort. Requesting the next batch, or leaving the loop, releases an unconfirmed batch.
   */
  batches(options: { sessionId: number; signal: AbortSignal }): AsyncIterable<HeldBatch>;
  /**
   * Processes all sessions in parallel, with one batch per session at a time, until the signal is aborted. Then all
   * batches are released. First recovers the claims of an earlier process. Exceptions of `handle` become failures of
   * the batch.
   * @throws QueueError `queue/already-running` when an earlier call has not ended
   */
  run(handle: HandleBatch, options: { signal: AbortSignal }): Promise<void>;
  activity(): QueueActivity;
  /** Ends all pauses of the queue and of sessions immediately, for example after a change of settings. */
  resume(): void;
}
