import { changedFiles } from '../evidence/changed-files.js';
import type { TurnEvidence } from '../evidence/evidence-of.js';

const LIMIT = 25;

/** Files for a record. */
export function fileLists(evidence: TurnEvidence): { filesRead: string[]; filesModified: string[] } {
  return {
    filesRead: evidence.filesRead.slice(0, LIMIT),
    filesModified: changedFiles(evidence).slice(0, LIMIT * 2),
  };
}
