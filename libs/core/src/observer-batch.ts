import type { ConversationTurn, HostName } from './session.js';
import type { SummaryDraft } from './summary.js';
import type { SummarizePayload, ToolUsePayload } from './pending-message.js';

export interface ObservedToolUse extends ToolUsePayload {
  messageId: number;
  createdAtEpoch: number;
}

/**
 * Everything an observer needs for one piece of work, so that a fresh conversation after a crash gives the same
 * result. All of one turn, in the order it happened; the turns without tool uses that are observed with it are in `conversation`.
 */
export interface ObserverBatch {
  session: {
    id: number;
    host: HostName;
    contentSessionId: string;
    /** Name of the project, for the text. */
    project: string;
    /** Root of the project: paths in records are relative to it. */
    projectRoot: string | null;
    /** First prompt of the session. */
    goal: string | null;
    /** To resume the observer's own conversation, if the provider can. */
    memorySessionId: string | null;
  };
  promptNumber: number;
  /** The oldest turn that is observed with this batch: itself, or an earlier turn without tool uses. */
  firstPromptNumber: number;
  /** What the user typed for this turn, also while it ran; null when the turn began before we listened. */
  prompt: string | null;
  /** Titles of what this session already recorded, oldest first, bounded. */
  recordedTitles: readonly string[];
  /** What the session had come to before this turn; null when nothing is recorded. */
  lastSummary: SummaryDraft | null;
  toolUses: readonly ObservedToolUse[];
  /** Set when the turn is over: the summary is wanted too. */
  closing: SummarizePayload | null;
  /** The newest turns of the session, this one included, oldest first and bounded; empty until one of the observed turns is over. */
  conversation: readonly ConversationTurn[];
}
