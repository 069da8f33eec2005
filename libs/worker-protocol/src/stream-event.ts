import type { QueueCounts, Session } from '@claude-mem/core';
import type { FeedItem } from './schemas/feed.js';

type Of<Kind extends FeedItem['kind']> = Extract<FeedItem, { kind: Kind }>;

/**
 * Events of `/stream`. Every event has an id (`id:` of the SSE frame). A client that reconnects with `Last-Event-ID`
 * receives the missed events, or `stream-reset` when they are not available and lists must be loaded again.
 */
export type StreamEvent =
  | { type: 'observation-created'; data: Of<'observation'> }
  | { type: 'observation-updated'; data: Of<'observation'> }
  | { type: 'summary-created'; data: Of<'summary'> }
  | { type: 'prompt-created'; data: Of<'prompt'> }
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
