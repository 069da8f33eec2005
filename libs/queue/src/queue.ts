import type { PendingMessage } from '@claude-mem/core';

/** Why a batch could not be processed. */
export interface QueueFailure {
  /** One sentence, kept with the message. Never prompt text or payloads. */
  message: string;
  /** False when trying the same again is pointless: a message is parked at once, a provider is left alone for longer. */
  retryable: boolean;
  /** What the other side asked for; obeyed instead of the backoff unless it is 0. A provider's backoff, when longer, wins. */
  retryAfterMs?: number;
  /**
   * `message`: something in the batch is at fault. A batch of several is split until the poison message is alone; that one
   * counts attempts and is parked. `batch`: what came back for the batch as a whole was of no use, and asking costs: all
   * of it counts an attempt, there is no search for a poison message, and the last attempt is made in small parts. `provider`: quota, login, set-up, rate limit, outage, full disk. Nothing counts
   * as an attempt and the whole queue is paused. `session`: only this session is paused, such as
   * over a limit of its own. Nothing counts as an attempt; it waits `retryAfterMs` or `pauseMs` and the others go on.
   */
  scope: 'message' | 'batch' | 'provider' | 'session';
}

/**
 * Claimed messages of one turn, and of the turns without tool uses before it, in order. Their lease is renewed until they are
 * confirmed or released. Disposing of the batch without either releases it after a backoff, without an attempt.
 */
export interface HeldBatch extends AsyncDisposable {
  readonly sessionId: number;
  /** The newest of its turns. */
  readonly promptNumber: number;
  readonly messages: readonly PendingMessage[];
  /** True when the end of the newest turn is among the messages: a summary is wanted too. */
  readonly isTurnOver: boolean;
  /** To be called once `Store.commitReply` has stored the result and deleted all messages of the batch. */
  confirmed(): void;
  /**
   * Gives the batch back, or parks it after its last attempt. Does nothing when it is already settled. With an error, rejects
   * if the storage fails; the queue then gives the batch back, and tries again until the storage accepts it.
   */
  release(error?: QueueFailure): Promise<void>;
}

export interface QueueActivity {
  /** Batches held at this moment. */
  running: number;
  /** Epoch until which the queue is paused; null when it is not paused. */
  pausedUntil: number | null;
  /** The failure behind `pausedUntil`; null when the queue is not paused. */
  pauseReason: string | null;
  /** Number of sessions that are paused on their own. */
  pausedSessions: number;
  /** The newest failure behind `pausedSessions`; null when no session is paused. */
  sessionPauseReason: string | null;
}

export type HandleBatch = (batch: HeldBatch, options: { signal: AbortSignal }) => Promise<void>;

/** Turns what is pending into batches. One process owns a queue; within it, one `Queue` per storage. */
export interface Queue {
  /** Says that something was committed; wakes whoever waits. Never lost, also before anyone waits. */
  notify(): void;
  /**
   * Makes the work that waits of a session due now, also of a turn that goes on; what comes in later is due as ever. Resolves
   * when all of it was worked on or cannot be now, or when aborted.
   */
  flush(options: { sessionId: number; signal: AbortSignal }): Promise<void>;
  /**
   * The batches of one session as they become due, in order. Waits between them, survives failing storage, and ends
   * only when aborted. Going on to the next batch, or leaving the loop, gives an unconfirmed one back.
   */
  batches(options: { sessionId: number; signal: AbortSignal }): AsyncIterable<HeldBatch>;
  /**
   * Works on all sessions side by side, one batch per session at a time, until aborted; then everything is given
   * back. Starts with recovering the claims of a dead owner. What `handle` throws becomes a failure of its batch.
   */
  run(handle: HandleBatch, options: { signal: AbortSignal }): Promise<void>;
  activity(): QueueActivity;
  /** Ends all pauses immediately, of the queue and of single sessions, for example after a change of settings. */
  resume(): void;
}
