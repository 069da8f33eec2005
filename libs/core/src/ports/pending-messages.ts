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
  /** Messages that take a place in a batch; evidence does not. */
  count: number;
  bytes: number;
  /** True when the end of the newest turn is among the messages. */
  isOver: boolean;
  /** True when a prompt after the newest turn is already known. */
  hasLaterPrompt: boolean;
  /** When its first message came in. */
  firstAtEpoch: number;
  /** When its newest message came in. */
  newestAtEpoch: number;
  /** Earliest moment the first message may be claimed (backoff). */
  availableAtEpoch: number;
}

export interface QueueCounts {
  pending: number;
  processing: number;
  parked: number;
  /** Messages whose session no longer exists or is of no known host: kept and listed, never counted as work. */
  orphans: number;
  oldestPendingEpoch: number | null;
}

export interface ListPendingOptions {
  status?: PendingStatus;
  sessionId?: number;
  /** @default 100 */
  limit?: number;
  /** Id to continue after. */
  afterId?: number;
}

/** Which messages a person's command is about: some ids, or all parked ones. */
export type MessageSelection = { ids: readonly number[] } | { status: 'parked' };

/** Most messages that a claim takes beyond `maxCount`: evidence takes no place, and is bounded all the same. */
export const EVIDENCE_PER_CLAIM = 500;

/**
 * The queue's storage. Confirming is not here: a message is deleted in the transaction that stores its result
 * (`Store.commitReply`). All times are passed in. Order within a session is by prompt number, then id.
 */
export interface PendingMessages {
  /**
   * Claimable or waiting work, one entry per session, oldest first. An entry is about the oldest turn of the session. Turns
   * without tool uses are joined with the turns after them, up to and including the first turn with tool uses, and up to
   * `maxTurns` turns. Sessions with a claimed message are left out. Parked messages are as if they were not there: they neither
   * count nor hold the rest back.
   * @param options.maxTurns @default 1
   */
  waitingTurns(options?: { maxTurns?: number }): Promise<readonly WaitingTurn[]>;
  /**
   * Takes the first messages of what `waitingTurns` with the same `maxTurns` reports, and marks them processing, all or none.
   * Stops before `maxCount` places, `maxCount + EVIDENCE_PER_CLAIM` messages or `maxBytes` would be passed, but always
   * takes at least one. Empty when another message of the session is processing or the first one is not available
   * yet; a later one that is not available yet ends the take, so that order is kept.
   */
  claim(request: {
    sessionId: number;
    now: number;
    maxCount: number;
    maxBytes: number;
    /** @default 1 */
    maxTurns?: number;
  }): Promise<readonly PendingMessage[]>;
  /** Extends the lease of claimed messages; ids that are not claimed are left alone. */
  renew(request: { ids: readonly number[]; now: number }): Promise<void>;
  /**
   * Gives claimed messages back, to be claimed from `availableAt` on. Adds an attempt only when `error` is given. Ids
   * that are not claimed are left alone.
   */
  release(request: { ids: readonly number[]; availableAt: number; error?: string }): Promise<void>;
  /**
   * Parks claimed messages after their last attempt, which is counted. Parked messages are kept and listed, and are not
   * claimed until they are retried. Ids that are not claimed are ignored.
   */
  park(request: { ids: readonly number[]; error: string }): Promise<void>;
  /**
   * Gives messages claimed at or before `claimedBefore` back, available at once; each counts as one attempt, and those
   * whose attempts reach `parkAfter` are parked instead. Returns how many were found, parked ones included.
   */
  recoverClaims(request: { claimedBefore: number; now: number; parkAfter: number }): Promise<number>;
  list(options?: ListPendingOptions): Promise<readonly PendingMessage[]>;
  /** Of all sessions, or of one. */
  counts(filter?: { sessionId?: number }): Promise<QueueCounts>;
  /** Parked messages go back to pending with no attempts. Returns how many. */
  retry(selection: MessageSelection, now: number): Promise<number>;
  /** Deletes messages that are not being processed and records them as dropped. Returns how many. */
  drop(selection: MessageSelection, request: { now: number; reason: string }): Promise<number>;
}
