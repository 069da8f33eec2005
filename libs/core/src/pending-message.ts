import type { ToolUse } from './host-event.js';

export const PENDING_STATUSES = ['pending', 'processing', 'parked'] as const;
export type PendingStatus = (typeof PENDING_STATUSES)[number];

/** A tool use that waits for the observer, scrubbed and limited in size. */
export interface ToolUsePayload extends ToolUse {
  cwd: string | null;
  agentId: string | null;
  agentType: string | null;
}

/**
 * The end of a turn. `interrupted`: the host did not report the end, because the user stopped the turn or the host
 * crashed.
 */
export interface SummarizePayload {
  reason: 'turn-end' | 'interrupted';
  lastAssistantMessage: string | null;
}

interface PendingMessageBase {
  id: number;
  sessionId: number;
  promptNumber: number;
  /** Size of the stored payload in bytes of UTF-8. */
  bytes: number;
  /** The tool use is evidence and does not count against the batch size. */
  isEvidence: boolean;
  status: PendingStatus;
  attempts: number;
  lastError: string | null;
  createdAtEpoch: number;
  claimedAtEpoch: number | null;
  /** The message must not be claimed before this time. */
  availableAtEpoch: number;
}

/** A queued unit of work. */
export type PendingMessage = PendingMessageBase &
  ({ kind: 'observation'; payload: ToolUsePayload } | { kind: 'summarize'; payload: SummarizePayload });

/**
 * How a message left the queue. `stored`: its batch produced a record. `evidence`: the observer read it only as
 * evidence. `empty`: the observer found nothing to record. `filtered`: excluded by a rule, never queued. `dropped`:
 * deleted by the user. Every event has exactly one permanent outcome.
 */
export const MESSAGE_OUTCOMES = ['stored', 'evidence', 'empty', 'filtered', 'dropped'] as const;
export type MessageOutcome = (typeof MESSAGE_OUTCOMES)[number];
