import type { ToolUse } from './host-event.js';

export const PENDING_STATUSES = ['pending', 'processing', 'parked'] as const;
export type PendingStatus = (typeof PENDING_STATUSES)[number];

/** A tool use as it waits for the observer: scrubbed and bounded. */
export interface ToolUsePayload extends ToolUse {
  cwd: string | null;
  agentId: string | null;
  agentType: string | null;
}

/** The end of a turn. `interrupted`: the host never said that the turn ended (the user stopped it or it crashed). */
export interface SummarizePayload {
  reason: 'turn-end' | 'interrupted';
  lastAssistantMessage: string | null;
}

interface PendingMessageBase {
  id: number;
  sessionId: number;
  promptNumber: number;
  /** Size of the payload as stored, in bytes of UTF-8. */
  bytes: number;
  /** It only surrounds the work and takes no place in a batch. */
  isEvidence: boolean;
  status: PendingStatus;
  attempts: number;
  lastError: string | null;
  createdAtEpoch: number;
  claimedAtEpoch: number | null;
  /** Not to be claimed before. */
  availableAtEpoch: number;
}

/** A queued unit of work. */
export type PendingMessage = PendingMessageBase &
  ({ kind: 'observation'; payload: ToolUsePayload } | { kind: 'summarize'; payload: SummarizePayload });

/**
 * How a message left the queue: `stored` (a record came of its batch), `evidence` (read by the observer for what
 * surrounds it, such as a listing), `empty` (the observer found nothing to keep), `filtered` (never queued, by rule),
 * `dropped` (by a person). Every event has exactly one, kept for good.
 */
export const MESSAGE_OUTCOMES = ['stored', 'evidence', 'empty', 'filtered', 'dropped'] as const;
export type MessageOutcome = (typeof MESSAGE_OUTCOMES)[number];
