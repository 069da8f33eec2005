import type { DocumentSet } from '../documents/document-set.js';
import type { RecordKind } from '../documents/record.js';
import type { IndexTables } from '../tables/index-reader.js';
import type { LoadedIndex } from './loaded-index.js';
import { matchWords } from './match-words.js';
import { prefixTerms } from './prefix-terms.js';
import { mergePostings } from './term-postings.js';
import { readBeginnings, translateSyntax } from './translate-syntax.js';

export interface SyntaxRequest {
  kind: RecordKind;
  within: DocumentSet;
  limit: number;
}

export type SlotScores = readonly { slot: number; score: number }[];

/** Number of FTS5 results before the filters are applied, and of a second attempt when too few remain. */
const MOST_BY_SYNTAX = 10_000;
const ALL_BY_SYNTAX = 1_000_000;

/** The records of a set that match an FTS5 expression, best first. Null when the expression is malformed. */
export function matchSyntax(
  query: string,
  request: SyntaxRequest,
  { tables, index }: { tables: Pick<IndexTables, 'matchSyntax'>; index: LoadedIndex },
): SlotScores | null {
  const { documents, postings } = index;
  const { kind, within, limit } = request;

  const byFts5 = (expression: string, most: number): SlotScores | null => {
    const all = tables.matchSyntax(kind, expression, most);
    if (all === null) return null;
    const found = all.flatMap(({ recordId, score }) => {
      const slot = documents.slotOf(kind, recordId);
      return slot !== undefined && within.has(slot) ? [{ slot, score }] : [];
    });
    if (found.length < limit && all.length === most && most < ALL_BY_SYNTAX)
      return byFts5(expression, ALL_BY_SYNTAX);
    return found.slice(0, limit);
  };

  const words = readBeginnings(query)?.map(({ term, isBeginning }) => {
    const { terms, isCut } = isBeginning ? prefixTerms(term, postings) : { terms: [term], isCut: false };
    return { isCut, postings: mergePostings(terms.map(postings.of)) };
  });
  if (words) {
    const lists = words.map((word) => word.postings);
    const found = matchWords(lists, documents, request);
    // An incomplete list of terms is sufficient when it fills the page.
    if (found.length === limit || !words.some(({ isCut }) => isCut)) return found;
  }
  const expression = translateSyntax(query);
  return expression === null ? null : byFts5(expression, words ? ALL_BY_SYNTAX : MOST_BY_SYNTAX);
}
