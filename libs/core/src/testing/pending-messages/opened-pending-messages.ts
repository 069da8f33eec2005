import type { PendingMessage } from '../../pending-message.js';
import type { PendingMessages } from '../../ports/pending-messages.js';

/** One thing that happened in a host, in as few words as the suite needs. `session` is any name; the same name is the same session. */
export interface PendingSeed {
  session: string;
  kind: 'prompt' | 'tool-use' | 'turn-end' | 'session-end';
  /** When it happened; also the time its message was created. */
  at: number;
  /** What makes the payload: the prompt, the tool's output or the closing message. */
  text?: string;
  /** Of a tool use. @default false */
  isEvidence?: boolean;
}

/** Where a seed ended up. */
export interface SeededEvent {
  sessionId: number;
  /** The turn it belongs to: 0 before the first prompt. */
  promptNumber: number;
}

/** One fresh, empty instance of the port, with the two things that the port leaves to `Store`. */
export interface OpenedPendingMessages {
  messages: PendingMessages;
  /** Records the events as `Store.capture` would, in order; answers one entry per event. */
  seed(events: readonly PendingSeed[]): Promise<readonly SeededEvent[]>;
  /** Deletes claimed messages as `Store.commitReply` would. All are of one session. */
  confirm(messages: readonly PendingMessage[]): Promise<void>;
  close(): Promise<void>;
}
