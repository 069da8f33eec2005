import type { Observation, ObservationDraft } from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import type { IndexWriter } from '@claude-mem/lexical-index';
import type { ObservationRecords } from './observations.js';

/** Changes the text and indexes it. The caller holds the transaction. */
export type RewriteObservation = (
  known: Observation,
  change: Partial<ObservationDraft>,
  now: number,
) => ReturnType<ObservationRecords['updateText']>;

export function createRewriteObservation(
  database: Database,
  observations: ObservationRecords,
  search: IndexWriter,
): RewriteObservation {
  // A trigger removes a changed observation from the index and marks it as pending.
  const removePending = database.prepare('DELETE FROM search_pending WHERE kind = 0 AND record_id = ?');
  return (known, change, now) => {
    const result = observations.updateText(known, change, now);
    const [written] = result.kind === 'changed' ? observations.byIds([known.id]) : [];
    if (written !== undefined) {
      removePending.run(known.id);
      search.add([{ kind: 'observation', ...written }]);
    }
    return result;
  };
}
