import type { ConversationTurn, HostName } from './session.js';
import type { SummaryDraft } from './summary.js';
import type { SummarizePayload, ToolUsePayload } from './pending-message.js';

export interface ObservedToolUse extends ToolUsePayload {
  messageId: number;
  createdAtEpoch: number;
}

/**
 * The complete input of the observer for one piece of work, so that a new conversation after a crash returns the same
 * result. Contains one turn in chronological order. `conversation` contains the turns without tool uses that are
 * observed with it.
 */
export interface ObserverBatch {
  session: {
    id: number;
    host: HostName;
    contentSessionId: string;
    /** Name of the project for the prompt. */
    project: string;
    /** Root folder of the project. Paths in records are relative to it. */
    projectRoot: string | null;
    /** First prompt of the session. */
    goal: string | null;
    /** Id with which a provider can resume the observer's conversation. */
    memorySessionId: string | null;
  };
  promptNumber: number;
  /** The oldest turn of this batch: the turn itself, or an earlier turn without tool uses. */
  firstPromptNumber: number;
  /** The prompt of the turn, including text that the user sent while it ran. Null when the capture began later. */
  prompt: string | null;
  /** Titles of the latest records of this session, oldest first. */
  recordedTitles: readonly string[];
  /** The last summary before this turn. Null when there is none. */
  lastSummary: SummaryDraft | null;
  toolUses: readonly ObservedToolUse[];
  /** Set when the turn is complete and needs a summary. */
  closing: SummarizePayload | null;
  /**
   * The latest turns of the session including this one, oldest first. Empty until one of the observed turns is
   * complete.
   */
  conversation: readonly ConversationTurn[];
}
