import { toStorableText, type CommitReply, type CommittedReply, type Observation } from '@claude-mem/core';
import type { Ledger } from '../capture/ledger.js';
import type { Database } from '../database/driver.js';
import { TEXT_LIMITS } from '../limits.js';
import type { ObservationRecords } from '../records/observations.js';
import { storableOrNull, storableText } from '../records/storable.js';
import type { SummaryRecords } from '../records/summaries.js';

export interface CommitParts {
  database: Database;
  observations: ObservationRecords;
  summaries: SummaryRecords;
  ledger: Ledger;
}

const NOTHING_NEW: CommittedReply = { observations: [], summary: null };

/**
 * Stores a reply and ends its messages. When none of the messages is there any more, the reply was stored before or its
 * session was aborted: then nothing is stored. The caller holds the transaction.
 */
export function createCommitReply({ database, observations, summaries, ledger }: CommitParts) {
  const projectOf = database.prepare('SELECT project_id FROM sdk_sessions WHERE id = ?').pluck();
  const takeMessage = database
    .prepare('DELETE FROM pending_messages WHERE id = ? AND session_id = ? RETURNING dedupe_key')
    .pluck();
  const addTokens = database.prepare(`
    UPDATE sdk_sessions SET memory_session_id = coalesce(?, memory_session_id),
      cumulative_input_tokens = cumulative_input_tokens + ?,
      cumulative_output_tokens = cumulative_output_tokens + ? WHERE id = ?`);
  const addUsage = database.prepare(`
    INSERT INTO usage VALUES (:day, :provider, :model, :sessionId, 1, :input, :output, :cached, :cost)
    ON CONFLICT (day, provider, model, session_id) DO UPDATE SET calls = calls + 1,
      input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens,
      cached_tokens = cached_tokens + excluded.cached_tokens,
      estimated_cost_usd = estimated_cost_usd + excluded.estimated_cost_usd`);

  const endMessages = ({ confirm, sessionId }: CommitReply): number => {
    let ended = 0;
    for (const { id, outcome, reason } of confirm) {
      const dedupeKey = takeMessage.get(id, sessionId) as string | undefined;
      if (dedupeKey === undefined) continue;
      ledger.end(sessionId, dedupeKey, outcome, reason ?? null);
      ended += 1;
    }
    return ended;
  };

  const meter = ({ sessionId, provider, model, usage, memorySessionId, now }: CommitReply) => {
    const input = count(usage?.inputTokens);
    const output = count(usage?.outputTokens);
    const memoryId = memorySessionId === undefined ? null : toStorableText(memorySessionId);
    if (usage || memoryId !== null) addTokens.run(memoryId, input, output, sessionId);
    if (!usage) return;
    addUsage.run({
      day: new Date(now).toISOString().slice(0, 10),
      provider: storableText(provider, TEXT_LIMITS.model),
      model: storableOrNull(model, TEXT_LIMITS.model) ?? '',
      sessionId,
      input,
      output,
      cached: count(usage.cachedTokens),
      cost: Math.max(0, usage.estimatedCostUsd) || 0,
    });
  };

  return (reply: CommitReply): CommittedReply => {
    const { sessionId, promptNumber, provider, model } = reply;
    const now = Math.trunc(reply.now);
    const projectId = projectOf.get(sessionId) as number | undefined;
    if (projectId === undefined) return NOTHING_NEW;
    if (endMessages(reply) === 0 && reply.confirm.length > 0) return NOTHING_NEW;
    const place = { sessionId, projectId, promptNumber, now };
    const stored = reply.observations
      .map((draft) => observations.insert(draft, { ...place, provider, model }))
      .filter((observation): observation is Observation => observation !== null);
    const summary = reply.summary ? summaries.insert(reply.summary, place) : null;
    meter(reply);
    return { observations: stored, summary };
  };
}

function count(tokens: number | undefined): number {
  return tokens === undefined || !Number.isFinite(tokens) ? 0 : Math.max(0, Math.round(tokens));
}
