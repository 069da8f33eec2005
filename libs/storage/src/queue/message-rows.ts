import {
  PENDING_STATUSES,
  isRecord,
  type PendingMessage,
  type SummarizePayload,
  type ToolUsePayload,
} from '@claude-mem/core';
import { readJson, readOneOf, type RowDecoder } from '../records/decode-row.js';
import type { pendingMessages } from '../schema.js';

export type MessageRow = Omit<typeof pendingMessages.$inferSelect, 'dedupeKey'>;

/** The columns of a message with the names of `MessageRow`. */
export const MESSAGE_COLUMNS = `id, session_id AS sessionId, kind, prompt_number AS promptNumber, bytes,
  is_evidence AS isEvidence, status, attempts,
  last_error AS lastError, created_at_epoch AS createdAtEpoch, claimed_at_epoch AS claimedAtEpoch,
  available_at_epoch AS availableAtEpoch, payload`;

export const pendingMessage: RowDecoder<MessageRow, PendingMessage> = {
  table: 'pending_messages',
  decode(row) {
    const common = {
      ...row,
      isEvidence: row.isEvidence === 1,
      status: readOneOf(row.status, PENDING_STATUSES, 'status'),
    };
    const payload = readJson(row.payload, 'payload');
    if (row.kind === 'observation' && isToolUse(payload)) return { ...common, kind: 'observation', payload };
    if (row.kind === 'summarize' && isSummarize(payload)) return { ...common, kind: 'summarize', payload };
    throw new TypeError(`payload is not what a message of kind ${row.kind} carries`);
  },
};

function isToolUse(value: unknown): value is ToolUsePayload {
  if (!isRecord(value)) return false;
  const { toolName, outcome, isInterrupt, durationMs } = value;
  return (
    typeof toolName === 'string' &&
    (outcome === 'succeeded' || outcome === 'failed') &&
    typeof isInterrupt === 'boolean' &&
    (durationMs === null || typeof durationMs === 'number') &&
    'input' in value &&
    'response' in value &&
    ['toolUseId', 'error', 'cwd', 'agentId', 'agentType'].every((key) => isTextOrNull(value[key]))
  );
}

function isSummarize(value: unknown): value is SummarizePayload {
  return (
    isRecord(value) &&
    (value['reason'] === 'turn-end' || value['reason'] === 'interrupted') &&
    isTextOrNull(value['lastAssistantMessage'])
  );
}

const isTextOrNull = (value: unknown) => value === null || typeof value === 'string';
