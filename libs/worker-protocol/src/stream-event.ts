import type { Observation, QueueCounts, Session, Summary } from '@claude-mem/core';

/**
 * What `/stream` sends. Every event carries an id (`id:` of the SSE frame); a client that reconnects with
 * `Last-Event-ID` gets what it missed, or `stream-reset` when that is no longer known and lists must be read again.
 */
export type StreamEvent =
  | { type: 'observation-created'; data: Observation }
  | { type: 'observation-updated'; data: Observation }
  | { type: 'summary-created'; data: Summary }
  | { type: 'memory-forgotten'; data: { observationIds: readonly number[]; sessionIds: readonly number[] } }
  | {
      type: 'session-updated';
      data: Pick<
        Session,
        'id' | 'host' | 'contentSessionId' | 'projectId' | 'status' | 'promptCounter' | 'lastActivityEpoch'
      >;
    }
  | { type: 'queue-changed'; data: QueueCounts }
  | { type: 'stream-reset'; data: Record<string, never> };
