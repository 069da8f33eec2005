import {
  toStorableText,
  type CommitReply,
  type CommittedReply,
  type MessageOutcome,
  type Observation,
} from '@claude-mem/core';
import type { Ledger } from '../capture/ledger.js';
import type { Database } from '../database/driver.js';
import type { ObservationRecords } from '../records/observations.js';
import type { SummaryRecords } from '../records/summaries.js';
import type { IndexWriter } from '@claude-mem/lexical-index';
import type { UsageMeter } from '../usage/usage-meter.js';
import { createConversationRecordWriter } from './conversation-record.js';

export interface CommitParts {
  database: Database;
  observations: ObservationRecords;
  summaries: SummaryRecords;
  ledger: Ledger;
  meter: UsageMeter;
  search: IndexWriter;
}

interface EndedMessage {
  dedupeKey: string;
  outcome: MessageOutcome;
}

const NOTHING_NEW: CommittedReply = { observations: [], summary: null };

/**
 * Stores a reply and deletes its messages. When all messages are gone, the reply was stored before or its session was
 * aborted: then only the cost of the call is recorded. The caller holds the transaction.
 */
export function createCommitReply(parts: CommitParts) {
  const { database, observations, summaries, ledger, meter, search } = parts;
  const projectOf = database.prepare('SELECT project_id FROM sdk_sessions WHERE id = ?').pluck();
  const takeMessage = database
    .prepare('DELETE FROM pending_messages WHERE id = ? AND session_id = ? RETURNING dedupe_key')
    .pluck();
  const conversationRecords = createConversationRecordWriter(parts);
  const setMemorySession = database.prepare('UPDATE sdk_sessions SET memory_session_id = ? WHERE id = ?');

  const endMessages = ({ confirm, sessionId }: CommitReply): readonly EndedMessage[] =>
    confirm.flatMap(({ id, outcome, reason = null }) => {
      const dedupeKey = takeMessage.get(id, sessionId) as string | undefined;
      if (dedupeKey === undefined) return [];
      ledger.end(sessionId, dedupeKey, outcome, reason);
      return [{ dedupeKey, outcome }];
    });

  return (reply: CommitReply): CommittedReply => {
    const { sessionId, promptNumber, provider, model, usage, memorySessionId } = reply;
    if (usage) meter.settle({ callId: usage.callId, usage, isAnswered: true, model });
    const now = Math.trunc(reply.now);
    const projectId = projectOf.get(sessionId) as number | undefined;
    if (projectId === undefined) return NOTHING_NEW;
    const ended = endMessages(reply);
    if (ended.length === 0 && reply.confirm.length > 0) return NOTHING_NEW;
    const place = { sessionId, projectId, promptNumber, now };
    const stored = reply.observations
      .map((draft) => observations.insert(draft, { ...place, provider, model }))
      .filter((observation): observation is Observation => observation !== null);
    const summary = reply.summary ? summaries.insert(reply.summary, place) : null;
    search.add(stored.map((observation) => ({ kind: 'observation', ...observation })));
    if (summary) search.add([{ kind: 'summary', ...summary }]);
    const { draft = null, supersedes = [] } = reply.conversationRecord ?? {};
    const changed = draft ? conversationRecords.write(draft, supersedes, { ...place, provider, model }) : [];
    const withdrawnId =
      reply.conversationRecord?.draft === null ? conversationRecords.withdraw(sessionId) : null;
    if (changed.length > 0)
      for (const { dedupeKey, outcome } of ended)
        if (outcome === 'empty') ledger.end(sessionId, dedupeKey, 'stored', null);
    if (memorySessionId !== undefined)
      setMemorySession.run(memorySessionId === null ? null : toStorableText(memorySessionId), sessionId);
    return {
      observations: [...stored, ...changed],
      summary,
      ...(withdrawnId !== null && { withdrawnId }),
    };
  };
}
