import type { DocumentTable } from '../documents/document-table.js';
import type { TermPostings } from './term-postings.js';

/** What stands in more records is not what one session is about: they are not counted. */
const MOST_COUNTED = 5_000;

interface Counts {
  all: number;
  bySession: Map<number, number>;
}

/**
 * Of the records in the project of this one that hold a term, the share that lies in its session. High where the session is about
 * what the term names, low for a word of talk, which is spread over many sessions however rare it is.
 */
export function createConcentration(
  documents: DocumentTable,
): (postings: TermPostings, slot: number) => number {
  const counted = new Map<TermPostings, ReadonlyMap<number, Counts>>();
  return (postings, slot) => {
    if (postings.count > MOST_COUNTED) return 0;
    const byProject = counted.get(postings) ?? countByProject(documents, postings);
    counted.set(postings, byProject);
    const counts = byProject.get(documents.projectId[slot] as number);
    return counts ? (counts.bySession.get(documents.session[slot] as number) ?? 0) / counts.all : 0;
  };
}

function countByProject(documents: DocumentTable, postings: TermPostings): Map<number, Counts> {
  const byProject = new Map<number, Counts>();
  for (const slot of postings.slots.subarray(0, postings.count)) {
    const project = documents.projectId[slot] as number;
    const session = documents.session[slot] as number;
    const counts = byProject.get(project) ?? { all: 0, bySession: new Map<number, number>() };
    counts.all += 1;
    counts.bySession.set(session, (counts.bySession.get(session) ?? 0) + 1);
    byProject.set(project, counts);
  }
  return byProject;
}
