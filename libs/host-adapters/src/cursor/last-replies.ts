import type { EventOrigin, Payload } from '../create-event-reader.js';
import { textOf } from '../tool-outcome.js';

const MOST_CONVERSATIONS = 50;

/** The last message of the agent in each conversation, because the end of a turn does not contain it. */
export interface LastReplies {
  keep(payload: Payload, origin: EventOrigin): void;
  /** Null when the agent sent no message in the turn, or before this process started. */
  of(origin: EventOrigin): string | null;
}

export function createLastReplies(): LastReplies {
  const replies = new Map<string, { promptId: string | null; text: string }>();
  return {
    keep(payload, { contentSessionId, promptId }) {
      const text = textOf(payload['text']);
      if (text.trim() === '') return;
      replies.delete(contentSessionId);
      replies.set(contentSessionId, { promptId, text });
      const [oldest] = replies.keys();
      if (replies.size > MOST_CONVERSATIONS && oldest !== undefined) replies.delete(oldest);
    },
    of({ contentSessionId, promptId }) {
      const reply = replies.get(contentSessionId);
      return reply?.promptId === promptId ? reply.text : null;
    },
  };
}
