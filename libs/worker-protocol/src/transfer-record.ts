import type { ImportedObservation } from '@claude-mem/core';
import type { TransferRecord } from './schemas/search.js';

/** An observation in the interchange form. The same one gives the same text as JSON, in whatever memory it is. */
export function toTransferRecord(record: ImportedObservation): TransferRecord {
  return {
    uid: record.uid,
    project: record.project ?? '',
    session: record.session ?? '',
    prompt_number: record.promptNumber,
    type: record.type,
    title: record.title,
    subtitle: record.subtitle,
    narrative: record.narrative,
    facts: [...record.facts],
    concepts: [...record.concepts],
    files_read: [...record.filesRead],
    files_modified: [...record.filesModified],
    created_at: new Date(record.createdAtEpoch).toISOString(),
  };
}
