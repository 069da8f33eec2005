import type { QueryTerm } from '@claude-mem/analysis';
import type { SearchTables } from '@claude-mem/storage/search-tables';
import type { DocumentSet } from '../documents/document-set.js';
import { createDocumentTable, type DocumentTable } from '../documents/document-table.js';
import { filterDocuments } from '../documents/filter-documents.js';
import { newestSlots } from '../documents/newest-slots.js';
import type { LexicalState, RecordFilter, RecordKind } from '../ports/lexical-index.js';
import { affordableTerms } from './affordable-terms.js';
import { createAccumulators } from './accumulators.js';
import { createFieldLengths } from './field-lengths.js';
import { createPostingsSource } from './postings-source.js';
import { createSessionLengths } from './session-lengths.js';
import { createScratch } from './scratch.js';
import { scoreTerms, type TermScores } from './score-terms.js';
import { mergePostings, type TermPostings } from './term-postings.js';
import { translateSyntax } from './translate-syntax.js';

export interface LexicalIndexOptions {
  /** How much of the postings is kept decoded. @default 24 MiB, or 64 bytes per record where that is more */
  cacheBytes?: number;
}

/** The words of all records, and where they stand, beside whoever writes them. */
export interface LexicalIndex {
  /** Runs the work on one state of the database, the newest one. What the reader gives is good only until it returns. */
  read<Value>(work: (reader: LexicalReader) => Value): Value;
}

export interface LexicalReader {
  readonly state: LexicalState;
  readonly documents: DocumentTable;
  /** The records for which the filter holds. */
  within(filter: RecordFilter): DocumentSet;
  /** Newest first, then the larger id. */
  newest(request: {
    within: DocumentSet;
    limit: number;
    /** @default 0 */
    offset?: number;
  }): readonly number[];
  /** A zero for each session, by the numbers that the documents give them. */
  numbersOfSessions(): Float64Array;
  /** What is computed at one time stays beside what is computed later. */
  score(request: {
    terms: readonly QueryTerm[];
    /** Reads the last term as the beginning of one, for search while a person types. @default false */
    prefixLast?: boolean;
  }): TermScores;
  /** What the user's own FTS5 expression finds, best first. Null: it is malformed. */
  matchSyntax(
    kind: RecordKind,
    query: string,
    limit: number,
  ): readonly { slot: number; score: number }[] | null;
}

const CACHE_BYTES = 24 * 1024 * 1024;
const CACHE_BYTES_PER_DOCUMENT = 64;
/** Filters kept between queries; each takes a bit per record. */
const FILTERS_KEPT = 16;
/** Endings of a word that is being typed. */
const MOST_ENDINGS = 64;
/** Records that hold them, together. */
const MOST_OF_ENDINGS = 200_000;

export function openLexicalIndex(
  tables: SearchTables,
  { cacheBytes }: LexicalIndexOptions = {},
): LexicalIndex {
  const documents = createDocumentTable();
  const lengths = createFieldLengths();
  const sessionLengths = createSessionLengths();
  const postings = createPostingsSource(tables, documents, lengths, {
    cacheBytes: cacheBytes ?? CACHE_BYTES,
    cacheBytesPerDocument: cacheBytes === undefined ? CACHE_BYTES_PER_DOCUMENT : 0,
  });
  const accumulators = createAccumulators();
  const scratch = createScratch();
  const filters = new Map<string, DocumentSet>();
  let version: number | null = null;
  let epoch: number | null = null;
  let state: LexicalState = { isComplete: true, indexed: 0, total: 0 };

  const reader: LexicalReader = {
    get state() {
      return state;
    },
    documents,
    within(filter) {
      const key = keyOf(filter);
      const known = filters.get(key);
      if (known) return known;
      const set = filterDocuments(filter, documents, {
        slotsOf: postings.of,
        termsWithPrefix: postings.termsWithPrefix,
      });
      const [oldest] = filters.keys();
      if (oldest !== undefined && filters.size >= FILTERS_KEPT) filters.delete(oldest);
      filters.set(key, set);
      return set;
    },
    newest: (request) => newestSlots(request, documents),
    numbersOfSessions: () => scratch.lend(documents.sessionCount),
    score({ terms, prefixLast = false }) {
      const beginning = prefixLast ? terms.at(-1) : undefined;
      // what is being typed is not a common word yet
      const wanted = beginning
        ? [...terms.slice(0, -1), { term: beginning.term, weight: beginning.weight }]
        : terms;
      const postingsOf = ({ term }: QueryTerm): TermPostings =>
        term === beginning?.term ? mergePostings(endings(term).map(postings.of)) : postings.of(term);
      const affordable = affordableTerms(wanted, ({ term }) => postings.costOf(term));
      return scoreTerms(affordable, postingsOf, {
        documents,
        sessionLengths,
        scratch,
        accumulator: accumulators.lend(documents.size),
      });
    },
    matchSyntax(kind, query, limit) {
      const expression = translateSyntax(query);
      const found = expression === null ? null : tables.matchSyntax(kind, expression, limit);
      return (
        found &&
        found.flatMap(({ recordId, score }) => {
          const slot = documents.slotOf(kind, recordId);
          return slot === undefined ? [] : [{ slot, score }];
        })
      );
    },
  };

  function endings(beginning: string): readonly string[] {
    const terms = new Set([beginning, ...postings.termsWithPrefix(beginning, MOST_ENDINGS)]);
    let cost = 0;
    return [...terms].filter((term) => {
      cost += postings.costOf(term);
      return term === beginning || cost <= MOST_OF_ENDINGS;
    });
  }

  function refresh(): void {
    const now = tables.dataVersion();
    if (now === version) return;
    filters.clear();
    const tablesState = tables.state();
    if (tablesState.epoch !== epoch) {
      documents.reset();
      lengths.reset();
      sessionLengths.reset();
      postings.reset();
      epoch = tablesState.epoch;
    }
    let removedAny = false;
    documents.refresh(tables, tablesState, {
      removed(slot) {
        removedAny = true;
        lengths.remove(documents.lengths, slot);
        sessionLengths.remove(documents, slot);
      },
      added(slot) {
        lengths.add(documents.lengths, slot);
        sessionLengths.add(documents, slot);
      },
    });
    lengths.settle();
    postings.refresh(tablesState.generation, removedAny);
    const { indexed, total } = tablesState;
    state = { isComplete: indexed >= total, indexed, total };
    version = now;
  }

  return {
    read: (work) =>
      tables.snapshot(() => {
        try {
          refresh();
        } catch (error) {
          // half of it may have been taken in: the next read begins anew
          epoch = null;
          version = null;
          throw error;
        }
        try {
          return work(reader);
        } finally {
          accumulators.takeBack();
          scratch.takeBack();
        }
      }),
  };
}

function keyOf(filter: RecordFilter): string {
  return JSON.stringify(
    Object.entries(filter)
      .filter(([, value]) => value !== undefined)
      .toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
}
