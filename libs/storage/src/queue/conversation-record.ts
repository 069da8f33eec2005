import { isReservedForPerson, type Observation, type ObservationDraft } from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import type { ObservationRecords } from '../records/observations.js';
import { createRewriteObservation } from '../records/rewrite-observation.js';
import type { IndexWriter } from '@claude-mem/lexical-index';

export interface ConversationRecordParts {
  database: Database;
  observations: ObservationRecords;
  search: IndexWriter;
}

type Place = Parameters<ObservationRecords['insert']>[1];

/**
 * Stores or updates the conversation record of a session. The record does not change after a person edited or deleted
 * it, or something superseded it. `write` returns the record and the records that it superseded, or nothing if
 * nothing changed. The caller holds the transaction.
 */
export function createConversationRecordWriter({ database, observations, search }: ConversationRecordParts) {
  const find = database.prepare(`
    SELECT conversation_record_id AS id, conversation_record_hash AS contentHash FROM sdk_sessions WHERE id = ?`);
  const setRecord = database.prepare(`
    UPDATE sdk_sessions SET conversation_record_id = :id, conversation_record_hash = :contentHash
    WHERE id = :sessionId`);
  const rewrite = createRewriteObservation(database, observations, search);

  const insert = (draft: ObservationDraft, place: Place): Observation | null => {
    const stored = observations.insert(draft, place);
    if (stored !== null) search.add([{ kind: 'observation', ...stored }]);
    return stored;
  };

  const update = (
    written: Pick<Observation, 'id' | 'contentHash'>,
    draft: ObservationDraft,
    { now, projectId }: Place,
  ): Observation | null => {
    const [known] = observations.byIds([written.id]);
    if (known === undefined || known.supersededBy !== null) return null;
    if (known.contentHash !== written.contentHash) return null;
    if (observations.hasText(known, draft) || observations.isForgotten(draft, projectId)) return null;
    const result = rewrite(known, draft, after(known, now));
    return result.kind === 'changed' ? (observations.byIds([known.id])[0] ?? null) : null;
  };

  const supersede = (ids: readonly number[], by: Observation, now: number): readonly Observation[] => {
    const replaced = observations
      .byIds(ids)
      .filter(
        (one) =>
          one.id !== by.id &&
          one.projectId === by.projectId &&
          one.supersededBy === null &&
          !isReservedForPerson(one),
      );
    for (const one of replaced) observations.updateMarks({ ...one, supersededBy: by.id }, after(one, now));
    return observations.byIds(replaced.map(({ id }) => id));
  };

  /**
   * Deletes the record of a session without decisions. Returns its id, or null when the record is missing or
   * superseded, or a person edited or pinned it.
   */
  const withdraw = (sessionId: number): number | null => {
    const { id, contentHash } = find.get(sessionId) as Written;
    const [known] = id === null ? [] : observations.byIds([id]);
    if (known === undefined || known.supersededBy !== null) return null;
    if (known.contentHash !== contentHash || known.pinned) return null;
    observations.remove([known.id]);
    setRecord.run({ id: null, contentHash: null, sessionId });
    return known.id;
  };

  const write = (
    draft: ObservationDraft,
    supersedes: readonly number[],
    place: Place,
  ): readonly Observation[] => {
    const { sessionId, now } = place;
    const { id, contentHash } = find.get(sessionId) as Written;
    const record = id === null ? insert(draft, place) : update({ id, contentHash }, draft, place);
    if (record === null) return [];
    setRecord.run({ id: record.id, contentHash: record.contentHash, sessionId });
    return [record, ...supersede(supersedes, record, now)];
  };
  return { write, withdraw };
}

interface Written {
  id: number | null;
  contentHash: string;
}

/** Every change increases `updatedAtEpoch`, because clients use it to detect a change. */
const after = ({ updatedAtEpoch }: Observation, now: number) => Math.max(now, updatedAtEpoch + 1);
