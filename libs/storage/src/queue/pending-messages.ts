import {
  EVIDENCE_PER_CLAIM,
  HOST_NAMES,
  type ListPendingOptions,
  type Logger,
  type MessageSelection,
  type PendingMessage,
  type PendingMessages,
  type QueueCounts,
  type WaitingTurn,
} from '@claude-mem/core';
import type { Ledger } from '../capture/ledger.js';
import type { Database } from '../database/driver.js';
import { TEXT_LIMITS } from '../limits.js';
import { decodeRow, decodeRows } from '../records/decode-row.js';
import { storableText } from '../records/storable.js';
import { StorageError } from '../storage-error.js';
import { MESSAGE_COLUMNS, pendingMessage, type MessageRow } from './message-rows.js';

const KNOWN_SESSION = `EXISTS (SELECT 1 FROM sdk_sessions s WHERE s.id = m.session_id
  AND s.host IN (${HOST_NAMES.map((name) => `'${name}'`).join(', ')}))`;
const IN_IDS = 'id IN (SELECT value FROM json_each(:ids))';
/** A prompt that was added to the running turn has the id of the first prompt of the turn. */
const HAS_LATER_PROMPT = `EXISTS (
  SELECT 1 FROM user_prompts later WHERE later.session_id = turn.sessionId AND later.prompt_number > turn.promptNumber
    AND (later.prompt_id IS NULL OR later.prompt_id IS NOT (
      SELECT own.prompt_id FROM user_prompts own
      WHERE own.session_id = turn.sessionId AND own.prompt_number = turn.promptNumber)))`;
/** The last of the turns that a claim takes together: the first with tool uses, or the last that `maxTurns` allows. */
const lastTurnOf = (sessionId: string) => `(
  SELECT max(prompt_number) FROM (
    SELECT DISTINCT prompt_number FROM pending_messages INDEXED BY pending_messages_waiting
    WHERE session_id = ${sessionId} AND status = 'pending' AND prompt_number <= coalesce((
      SELECT min(prompt_number) FROM pending_messages INDEXED BY pending_messages_waiting
      WHERE session_id = ${sessionId} AND status = 'pending' AND kind = 'observation'), ${Number.MAX_SAFE_INTEGER})
    ORDER BY prompt_number LIMIT :maxTurns))`;
const MAX_LISTED = 500;

/** The read operations of the port. A reader implements them too. */
export type PendingMessagesReader = Pick<PendingMessages, 'list' | 'counts' | 'waitingTurns'>;

export function createPendingMessagesReader(database: Database, logger: Logger): PendingMessagesReader {
  // Names the index, because statistics of a short queue make SQLite read the complete long queue for each of its
  // messages.
  const waiting = database.prepare(`
    WITH oldest AS (
      SELECT session_id, min(prompt_number) AS first_turn
      FROM pending_messages m INDEXED BY pending_messages_waiting
      WHERE status = 'pending' AND ${KNOWN_SESSION} AND NOT EXISTS (
        SELECT 1 FROM pending_messages p INDEXED BY pending_messages_waiting
        WHERE p.session_id = m.session_id AND p.status = 'processing')
      GROUP BY session_id),
    spans AS MATERIALIZED (
      SELECT session_id, first_turn, ${lastTurnOf('oldest.session_id')} AS last_turn FROM oldest)
    SELECT turn.sessionId, turn.promptNumber, turn.turns, turn.isConversation, s.status = 'completed' AS isSessionOver,
      turn.count, turn.bytes, turn.isOver, ${HAS_LATER_PROMPT} AS hasLaterPrompt,
      first.created_at_epoch AS firstAtEpoch, turn.newestAtEpoch, first.available_at_epoch AS availableAtEpoch
    FROM (
      SELECT m.session_id AS sessionId, o.last_turn AS promptNumber, count(DISTINCT m.prompt_number) AS turns,
        min(m.kind = 'summarize') AS isConversation, sum(1 - m.is_evidence) AS count, sum(m.bytes) AS bytes,
        max(m.kind = 'summarize' AND m.prompt_number = o.last_turn) AS isOver,
        max(m.created_at_epoch) AS newestAtEpoch, min(iif(m.prompt_number = o.first_turn, m.id, NULL)) AS firstId
      FROM spans o
      CROSS JOIN pending_messages m INDEXED BY pending_messages_waiting ON m.session_id = o.session_id
        AND m.status = 'pending' AND m.prompt_number BETWEEN o.first_turn AND o.last_turn
      GROUP BY m.session_id) turn
    JOIN pending_messages first ON first.id = turn.firstId
    JOIN sdk_sessions s ON s.id = turn.sessionId
    ORDER BY turn.firstId`);
  const list = database.prepare(`
    SELECT ${MESSAGE_COLUMNS} FROM pending_messages
    WHERE id > :afterId AND (:status IS NULL OR status = :status) AND (:sessionId IS NULL OR session_id = :sessionId)
    ORDER BY id LIMIT :limit`);
  const countsWhere = (condition: string) =>
    database.prepare(`
      SELECT status, sum(count) AS count, min(oldest) AS oldest, isKnown FROM (
        SELECT m.status, count(*) AS count, min(m.created_at_epoch) AS oldest, ${KNOWN_SESSION} AS isKnown
        FROM pending_messages m WHERE ${condition} GROUP BY m.session_id, m.status)
      GROUP BY status, isKnown`);
  const countsOfAll = countsWhere(':sessionId IS NULL');
  const countsOfSession = countsWhere('m.session_id = :sessionId');

  return {
    async waitingTurns({ maxTurns = 1 } = {}) {
      const turns = waiting.all({ maxTurns }) as WaitingTurn[];
      return turns.map((turn) => ({
        ...turn,
        isConversation: Boolean(turn.isConversation),
        isSessionOver: Boolean(turn.isSessionOver),
        isOver: Boolean(turn.isOver),
        hasLaterPrompt: Boolean(turn.hasLaterPrompt),
      }));
    },
    async list({ status, sessionId, limit = 100, afterId = 0 }: ListPendingOptions = {}) {
      const rows = list.all({
        afterId,
        status: status ?? null,
        sessionId: sessionId ?? null,
        limit: Math.min(Math.max(Math.trunc(limit), 1), MAX_LISTED),
      });
      return decodeRows(pendingMessage, rows as MessageRow[], logger);
    },
    async counts({ sessionId = null }: { sessionId?: number | null } = {}) {
      const result: QueueCounts = {
        pending: 0,
        processing: 0,
        parked: 0,
        orphans: 0,
        oldestPendingEpoch: null,
      };
      const groups = (sessionId === null ? countsOfAll : countsOfSession).all({ sessionId }) as {
        status: 'pending' | 'processing' | 'parked';
        count: number;
        oldest: number;
        isKnown: number;
      }[];
      for (const { status, count, oldest, isKnown } of groups) {
        if (!isKnown) result.orphans += count;
        else {
          result[status] += count;
          if (status === 'pending') result.oldestPendingEpoch = oldest;
        }
      }
      return result;
    },
  };
}

export function createPendingMessages(database: Database, ledger: Ledger, logger: Logger): PendingMessages {
  const isBusy = database
    .prepare(`SELECT 1 FROM pending_messages WHERE session_id = ? AND status = 'processing' LIMIT 1`)
    .pluck();
  const oldestTurns = database.prepare(`
    SELECT id, bytes, is_evidence AS isEvidence, available_at_epoch AS availableAtEpoch FROM pending_messages
    WHERE session_id = :sessionId AND status = 'pending' AND prompt_number <= ${lastTurnOf(':sessionId')}
    ORDER BY prompt_number, id LIMIT :limit`);
  const take = database.prepare(
    `UPDATE pending_messages SET status = 'processing', claimed_at_epoch = ? WHERE id = ? AND status = 'pending'`,
  );
  const read = database.prepare(`SELECT ${MESSAGE_COLUMNS} FROM pending_messages WHERE id = ?`);
  const renew = database.prepare(
    `UPDATE pending_messages SET claimed_at_epoch = :now WHERE ${IN_IDS} AND status = 'processing'`,
  );
  const release = database.prepare(`
    UPDATE pending_messages SET status = 'pending', claimed_at_epoch = NULL, available_at_epoch = :availableAt,
      attempts = attempts + (:error IS NOT NULL), last_error = coalesce(:error, last_error)
    WHERE ${IN_IDS} AND status = 'processing'`);
  const park = database.prepare(`
    UPDATE pending_messages SET status = 'parked', claimed_at_epoch = NULL, attempts = attempts + 1,
      last_error = :error WHERE ${IN_IDS} AND status = 'processing'`);
  const recover = database.prepare(`
    UPDATE pending_messages SET status = iif(attempts + 1 >= :parkAfter, 'parked', 'pending'),
      claimed_at_epoch = NULL, available_at_epoch = :now, attempts = attempts + 1,
      last_error = 'the process that had claimed it ended'
    WHERE status = 'processing' AND claimed_at_epoch <= :claimedBefore`);
  const retry = (where: string) =>
    database.prepare(`
      UPDATE pending_messages SET status = 'pending', attempts = 0, available_at_epoch = :now
      WHERE status = 'parked' AND ${where}`);
  const retryIds = retry(IN_IDS);
  const retryParked = retry(':ids IS NULL');
  const drop = (where: string) =>
    database.prepare(
      `DELETE FROM pending_messages WHERE ${where} RETURNING session_id AS sessionId, dedupe_key AS dedupeKey`,
    );
  const dropIds = drop(`${IN_IDS} AND status <> 'processing'`);
  const dropParked = drop(`status = 'parked' AND :ids IS NULL`);

  /** Parks a message that cannot be read, because the message would block its session. */
  const readOrPark = (id: number): PendingMessage | null => {
    try {
      return decodeRow(pendingMessage, read.get(id) as MessageRow);
    } catch (error) {
      if (!StorageError.isInstance(error)) throw error;
      logger.warn({ code: error.code, ...error.data }, error.message);
      park.run({ ids: toJson([id]), error: error.message });
      return null;
    }
  };

  const claim = database.transaction((request: Parameters<PendingMessages['claim']>[0]) => {
    const { sessionId, now, maxCount, maxBytes, maxTurns = 1 } = request;
    if (isBusy.get(sessionId) !== undefined) return [];
    const limit = Math.max(1, Math.trunc(maxCount)) + EVIDENCE_PER_CLAIM;
    // Read one by one, because other messages may be long and are not needed.
    const rows = oldestTurns.iterate({ sessionId, limit, maxTurns }) as Iterable<
      Pick<MessageRow, 'id' | 'bytes' | 'isEvidence' | 'availableAtEpoch'>
    >;
    const taken: number[] = [];
    let places = 0;
    let bytes = 0;
    for (const row of rows) {
      places += 1 - row.isEvidence;
      bytes += row.bytes;
      if (row.availableAtEpoch > now) break;
      if (taken.length > 0 && (places > maxCount || bytes > maxBytes)) break;
      taken.push(row.id);
    }
    for (const id of taken) take.run(now, id);
    return taken.map(readOrPark).filter((message): message is PendingMessage => message !== null);
  });

  const dropSelected = database.transaction((selection: MessageSelection, reason: string) => {
    const ids = 'ids' in selection ? toJson(selection.ids) : null;
    const dropped = (ids === null ? dropParked : dropIds).all({ ids }) as {
      sessionId: number;
      dedupeKey: string;
    }[];
    for (const { sessionId, dedupeKey } of dropped) ledger.end(sessionId, dedupeKey, 'dropped', reason);
    return dropped.length;
  });

  const bounded = (error: string) => storableText(error, TEXT_LIMITS.lastError);

  return {
    ...createPendingMessagesReader(database, logger),
    claim: async (request) => claim.immediate(request),
    renew: async ({ ids, now }) => void renew.run({ ids: toJson(ids), now }),
    release: async ({ ids, availableAt, error }) =>
      void release.run({ ids: toJson(ids), availableAt, error: error === undefined ? null : bounded(error) }),
    park: async ({ ids, error }) => void park.run({ ids: toJson(ids), error: bounded(error) }),
    recoverClaims: async (request) => recover.run(request).changes,
    async retry(selection, now) {
      const ids = 'ids' in selection ? toJson(selection.ids) : null;
      return (ids === null ? retryParked : retryIds).run({ ids, now }).changes;
    },
    drop: async (selection, { reason }) => dropSelected.immediate(selection, reason),
  };
}

const toJson = (ids: readonly number[]) => JSON.stringify(ids);
