import { changedFiles, type TurnEvidence } from '@claude-mem/evidence';

const LIMIT = 25;

/** Returns the file lists of a record. */
export function fileLists(evidence: TurnEvidence): { filesRead: string[]; filesModified: string[] } {
  return {
    filesRead: evidence.filesRead.slice(0, LIMIT),
    filesModified: changedFiles(evidence).slice(0, LIMIT * 2),
  };
}
