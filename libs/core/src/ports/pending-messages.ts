import type { PendingMessage, PendingStatus } from '../pending-message.js';

/** The turns of a session that the next claim takes, without their payloads. */
export interface WaitingTurn {
  sessionId: number;
  /** The newest of these turns. */
  promptNumber: number;
  /** Number of these turns. Only the newest of them can have tool uses. */
  turns: number;
  /** True when the messages contain no tool use. */
  isConversation: boolean;
  /** True when the session has ended. */
  isSessionOver: boolean;
  /** Number of messages that count against the batch size. Evidence does not. */
  count: number;
  bytes: number;
  /** True when the end of the newest turn is among the messages. */
  isOver: boolean;
  /** True when a later prompt is already stored. */
  hasLaterPrompt: boolean;
  /** Arrival of the first message. */
  firstAtEpoch: number;
  /** Arrival of the newest message. */
  newestAtEpoch: number;
  /** The earliest time at which the first message can be claimed (backoff). */
  availableAtEpoch: number;
}

export interface QueueCounts {
  pending: number;
  processing: number;
  parked: number;
  /**
   * Messages whose session does not exist or has an unknown host. They are kept and listed, but are not counted as
   * work.
   */
  orphans: number;
  oldestPendingEpoch: number | null;
}

export interface ListPendingOptions {
  status?: PendingStatus;
  sessionId?: number;
  /** @default 100 */
  limit?: number;
  /** The last id of the previous page. */
  afterId?: number;
}

/** The messages of a command: some ids, or all parked ones. */
export type MessageSelection = { ids: readonly number[] } | { status: 'parked' };

/**
 * Maximum number of messages that a claim takes beyond `maxCount`. Evidence does not count against the batch size,
 * but is limited too.
 */
export const EVIDENCE_PER_CLAIM = 500;

/**
 * The storage of the queue. A message is deleted in the transaction that stores its result (`Store.commitReply`), not
 * here. All times are parameters. Messages of a session are ordered by prompt number, then by id.
 */
export interface PendingMessages {
  /**
   * Lists the claimable or waiting work, one entry per session, oldest first. An entry describes the oldest turn of
   * the session. Turns without tool uses are joined with the following turns, up to and including the first turn with
   * tool uses, and at most `maxTurns` turns. Sessions with a claimed message are excluded. Parked messages are
   * ignored: they neither count nor block the others.
   * @param options.maxTurns @default 1
   */
  waitingTurns(options?: { maxTurns?: number }): Promise<readonly WaitingTurn[]>;
  /**
   * Marks the first messages of the entry that `waitingTurns` lists with the same `maxTurns` as processing, all or
   * none. Takes at most `maxCount` messages that are not evidence, `maxCount + EVIDENCE_PER_CLAIM` messages and
   * `maxBytes` bytes, but at least one message. Returns no message when another message of the session is processing
   * or when the first one is not available yet. Stops before a later message that is not available yet, so that the
   * order is kept.
   */
  claim(request: {
    sessionId: number;
    now: number;
    maxCount: number;
    maxBytes: number;
    /** @default 1 */
    maxTurns?: number;
  }): Promise<readonly PendingMessage[]>;
  /** Extends the lease of claimed messages. Ids that are not claimed are ignored. */
  renew(request: { ids: readonly number[]; now: number }): Promise<void>;
  /**
   * Releases claimed messages, which can be claimed again from `availableAt` on. Counts an attempt only when `error`
   * is set. Ids that are not claimed are ignored.
   */
  release(request: { ids: readonly number[]; availableAt: number; error?: string }): Promise<void>;
  /**
   * Parks claimed messages after their last attempt, which is counted. Parked messages are kept and listed, and are not
   * claimed until they are retried. Ids that are not claimed are ignored.
   */
  park(request: { ids: readonly number[]; error: string }): Promise<void>;
  /**
   * Releases messages that were claimed at or before `claimedBefore`, and counts one attempt for each. Messages with
   * `parkAfter` attempts are parked instead. Returns the number of messages, including parked ones.
   */
  recoverClaims(request: { claimedBefore: number; now: number; parkAfter: number }): Promise<number>;
  list(options?: ListPendingOptions): Promise<readonly PendingMessage[]>;
  /** @default all sessions */
  counts(filter?: { sessionId?: number }): Promise<QueueCounts>;
  /** Makes parked messages pending with no attempts. Returns their number. */
  retry(selection: MessageSelection, now: number): Promise<number>;
  /** Deletes messages that are not processing, and records their outcome as dropped. Returns their number. */
  drop(selection: MessageSelection, request: { now: number; reason: string }): Promise<number>;
}
