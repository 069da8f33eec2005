import type { DocumentTable } from '../documents/document-table.js';
import type { TermPostings } from './term-postings.js';

/** A term in more records than this is not specific to a session and is not counted. */
const MOST_COUNTED = 5_000;

interface Counts {
  all: number;
  bySession: Map<number, number>;
}

/**
 * Returns the share of the project's records with a term that are in the session of a record. High when the session
 * is about the term; low for everyday words, which are spread over many sessions however rare they are.
 */
export function createConcentration(
  documents: DocumentTable,
): (postings: TermPostings, slot: number) => number {
  const counted = new Map<TermPostings, Map<number, Counts>>();
  return (postings, slot) => {
    if (postings.count > MOST_COUNTED) return 0;
    const project = documents.projectId[slot] as number;
    const byProject = counted.get(postings) ?? new Map<number, Counts>();
    const counts = byProject.get(project) ?? countIn(project, documents, postings);
    counted.set(postings, byProject.set(project, counts));
    return (counts.bySession.get(documents.session[slot] as number) ?? 0) / counts.all;
  };
}

function countIn(project: number, documents: DocumentTable, postings: TermPostings): Counts {
  const { projectId, session: sessionOf } = documents;
  const counts: Counts = { all: 0, bySession: new Map() };
  for (let place = 0; place < postings.count; place += 1) {
    const slot = postings.slots[place] as number;
    if (projectId[slot] !== project) continue;
    const session = sessionOf[slot] as number;
    counts.all += 1;
    counts.bySession.set(session, (counts.bySession.get(session) ?? 0) + 1);
  }
  return counts;
}
