import type {
  ConversationTurn,
  ObservedToolUse,
  ObserverBatch,
  SummarizePayload,
  SummaryDraft,
} from '../index.js';

/** The fields of a batch that a test sets. The others have defaults. */
export interface ObserverBatchFields {
  session?: Partial<ObserverBatch['session']>;
  promptNumber?: number;
  firstPromptNumber?: number;
  prompt?: string | null;
  recordedTitles?: readonly string[];
  lastSummary?: SummaryDraft | null;
  toolUses?: readonly Partial<ObservedToolUse>[];
  /** A string stands for a turn with this closing message. */
  closing?: string | SummarizePayload | null;
  conversation?: readonly ConversationTurn[];
}

/** Creates a complete batch of a session in `/home/dev/shop`. */
export function createObserverBatch(fields: ObserverBatchFields = {}): ObserverBatch {
  const { session, toolUses = [], closing = null, ...rest } = fields;
  return {
    promptNumber: 1,
    firstPromptNumber: fields.promptNumber ?? 1,
    prompt: null,
    recordedTitles: [],
    lastSummary: null,
    conversation: [],
    ...rest,
    session: {
      id: 1,
      host: 'claude-code',
      contentSessionId: 'session-1',
      project: 'shop',
      projectRoot: '/home/dev/shop',
      goal: null,
      memorySessionId: null,
      ...session,
    },
    toolUses: toolUses.map((use, index) => ({ ...emptyToolUse(index), ...use })),
    closing: typeof closing === 'string' ? { reason: 'turn-end', lastAssistantMessage: closing } : closing,
  };
}

function emptyToolUse(index: number): ObservedToolUse {
  return {
    messageId: index + 1,
    createdAtEpoch: Date.UTC(2026, 0, 1) + index * 1000,
    toolName: 'Read',
    toolUseId: `call-${index + 1}`,
    input: {},
    response: null,
    outcome: 'succeeded',
    error: null,
    isInterrupt: false,
    durationMs: null,
    cwd: '/home/dev/shop',
    agentId: null,
    agentType: null,
  };
}
