import type { TurnEvidence } from '../evidence/evidence-of.js';

const LIMIT = 25;

/** Files for a record. Deleted ones are only told in its facts, unless nothing but deleting was done. */
export function fileLists(evidence: TurnEvidence): { filesRead: string[]; filesModified: string[] } {
  const modified = evidence.filesModified.length > 0 ? evidence.filesModified : evidence.filesDeleted;
  return { filesRead: evidence.filesRead.slice(0, LIMIT), filesModified: modified.slice(0, LIMIT * 2) };
}
