import type { PendingMessage } from '../../pending-message.js';
import type { PendingMessages } from '../../ports/pending-messages.js';

/** One event of a host in short form. Equal `session` names mean the same session. */
export interface PendingSeed {
  session: string;
  kind: 'prompt' | 'tool-use' | 'turn-end' | 'session-end';
  /** The time of the event and of its message. */
  at: number;
  /** The main text of the payload: the prompt, the output of the tool or the closing message. */
  text?: string;
  /** For tool uses only. @default false */
  isEvidence?: boolean;
}

/** The result of a seeded event. */
export interface SeededEvent {
  sessionId: number;
  /** The number of its turn: 0 before the first prompt. */
  promptNumber: number;
}

/** An empty instance of the port, with the two operations that belong to `Store`. */
export interface OpenedPendingMessages {
  messages: PendingMessages;
  /** Records the events in order, as `Store.capture` does. Returns one entry per event. */
  seed(events: readonly PendingSeed[]): Promise<readonly SeededEvent[]>;
  /** Deletes claimed messages of one session, as `Store.commitReply` does. */
  confirm(messages: readonly PendingMessage[]): Promise<void>;
  close(): Promise<void>;
}
