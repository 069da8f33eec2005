import { setImmediate } from 'node:timers/promises';
import type { QueryTerm } from '../analysis/analyze-query.js';
import { LATIN_LANGUAGES, latinLanguageTerm, latinStemTerms } from '../analysis/latin-languages.js';
import type { IndexTables } from '../tables/index-reader.js';
import type { DocumentSet } from '../documents/document-set.js';
import { createDocumentTable, type DocumentTable } from '../documents/document-table.js';
import { filterDocuments } from '../documents/filter-documents.js';
import { createSessionHosts, type SessionHosts } from '../documents/session-hosts.js';
import { newestSlots } from '../documents/newest-slots.js';
import { inSlices } from '../in-slices.js';
import type { IndexState, RecordFilter, RecordKind } from '../documents/record.js';
import { affordableTerms } from './affordable-terms.js';
import { createAccumulator, type Accumulator } from './accumulator.js';
import { createFieldLengths } from './field-lengths.js';
import { matchWords } from './match-words.js';
import { createPool, type Lease } from './pool.js';
import { createPostingsSource } from './postings-source.js';
import { createSessionLengths } from './session-lengths.js';
import { scoreTerms, type CreateZeros, type TermScores } from './score-terms.js';
import { discriminativeTerms } from './discriminative-terms.js';
import { mergePostings, postingsAmong, type TermPostings } from './term-postings.js';
import { readBeginnings, translateSyntax } from './translate-syntax.js';

export interface LexicalIndexOptions {
  /** Size of the cache of decoded postings. @default 24 MiB, or 64 bytes per record if that is more */
  cacheBytes?: number;
}

/** Finds records by their words while another process writes. */
export interface LexicalIndex {
  readonly sessionHosts: SessionHosts;
  /**
   * Runs a function on the newest state of the database. Results of the reader are valid until the function returns.
   */
  read<Value>(work: (reader: LexicalReader) => Value): Value;
  /**
   * Reads new documents in small steps and yields to the event loop in between, so that the next `read` does not block for long.
   */
  catchUp(): Promise<void>;
  /**
   * Starts a read that has to wait for something else. The second part gets the result of the first part, which runs again when
   * something was written in between. Dispose it afterwards.
   */
  readAhead<First>(first: (reader: LexicalReader) => First): ReadAhead<First>;
}

interface ReadAhead<First> extends Disposable {
  read<Value>(work: (reader: LexicalReader, first: First) => Value): Value;
}

export interface LexicalReader {
  readonly state: IndexState;
  readonly documents: DocumentTable;
  /** The records that match the filter. */
  within(filter: RecordFilter): DocumentSet;
  /** Newest first, then larger ids first. */
  newest(request: {
    within: DocumentSet;
    limit: number;
    /** @default 0 */
    offset?: number;
  }): readonly number[];
  /** Zeros, one for each session number of the documents. */
  numbersOfSessions(): Float64Array;
  /** The scores are valid until the read ends, also after other calls of `score`. */
  score(request: {
    terms: readonly QueryTerm[];
    /** The last term matches as a prefix, for search while the user types. @default false */
    prefixLast?: boolean;
    /** Uses only the discriminative terms of a long query. @default false */
    onlyDiscriminative?: boolean;
    /** Scores as if no other records existed. @default all */
    among?: DocumentSet;
  }): TermScores;
  /** The records of a set that match an FTS5 expression of the user, best first. Null when the expression is malformed. */
  matchSyntax(
    query: string,
    request: { kind: RecordKind; within: DocumentSet; limit: number },
  ): readonly { slot: number; score: number }[] | null;
}

const CACHE_BYTES = 24 * 1024 * 1024;
const CACHE_BYTES_PER_DOCUMENT = 64;
/** Number of cached filters. Each takes one bit per record. */
const FILTERS_KEPT = 16;
/** Number of FTS5 results before the filters are applied, and of a second attempt when too few remain. */
const MOST_BY_SYNTAX = 10_000;
const ALL_BY_SYNTAX = 1_000_000;
/** Maximum number of terms of a prefix. */
const MOST_ENDINGS = 256;
/** Maximum number of records of these terms. */
const MOST_OF_ENDINGS = 200_000;
/** Documents per step of `catchUp`, as many as the tables read at once: a few milliseconds. */
const SLICE = 4_096;
/**
 * Maximum number of reads that prepare their result ahead, because each holds some numbers per record. Further ones
 * start in their second part.
 */
const MOST_AHEAD = 4;

/** Opens an index for reading. Nothing is read before the first call. */
export function openLexicalIndex(
  tables: IndexTables,
  { cacheBytes }: LexicalIndexOptions = {},
): LexicalIndex {
  const documents = createDocumentTable();
  const sessionHosts = createSessionHosts(tables);
  const lengths = createFieldLengths();
  const sessionLengths = createSessionLengths();
  const postings = createPostingsSource(tables, documents, lengths, {
    cacheBytes: cacheBytes ?? CACHE_BYTES,
    cacheBytesPerDocument: cacheBytes === undefined ? CACHE_BYTES_PER_DOCUMENT : 0,
  });
  const accumulators = createPool<Accumulator>({
    kept: 2,
    create: createAccumulator,
    sizeOf: ({ scores }) => scores.length,
    clear: (accumulator) => accumulator.clear(),
  });
  const rows = createPool({
    kept: 24,
    create: (size) => new Float64Array(size),
    sizeOf: ({ length }) => length,
    clear: () => undefined,
  });
  const filters = new Map<string, DocumentSet>();
  let version: number | null = null;
  let epoch: number | null = null;
  let state: IndexState = { indexed: 0, total: 0 };
  /** Number of times that documents were read. */
  let changes = 0;
  let ahead = 0;
  /** Documents were removed since the postings were refreshed. */
  let removedAny = false;
  let catchingUp: Promise<void> | undefined;

  const createReader = (accumulator: Lease<Accumulator>, zeros: CreateZeros): LexicalReader => ({
    get state() {
      return state;
    },
    documents,
    within(filter) {
      const key = keyOf(filter);
      const known = filters.get(key);
      if (known) return known;
      const places = { slotsOf: postings.of, termsWithPrefix: postings.termsWithPrefix };
      const set = filterDocuments(filter, documents, { places, sessionHosts });
      const [oldest] = filters.keys();
      if (oldest !== undefined && filters.size >= FILTERS_KEPT) filters.delete(oldest);
      filters.set(key, set);
      return set;
    },
    newest: (request) => newestSlots(request, documents),
    numbersOfSessions: () => zeros(documents.sessionCount),
    score({ terms, prefixLast = false, onlyDiscriminative = false, among }) {
      const beginning = prefixLast ? terms.at(-1) : undefined;
      // A prefix is not a common word.
      const wanted = beginning
        ? [...terms.slice(0, -1), { term: beginning.term, weight: beginning.weight }]
        : terms;
      const languages = LATIN_LANGUAGES.filter(
        (language) => postings.costOf(latinLanguageTerm(language)) > 0,
      );
      const formsOf = ({ term, word }: QueryTerm) =>
        word === undefined
          ? [term]
          : [term, ...languages.flatMap((language) => latinStemTerms(language, word))].filter(
              (form) => postings.costOf(form) > 0,
            );
      const postingsOf = (wanted: QueryTerm): TermPostings => {
        const forms = wanted.term === beginning?.term ? endings(wanted.term).terms : formsOf(wanted);
        const merged = mergePostings(forms.map(postings.of));
        return among === undefined ? merged : postingsAmong(merged, among);
      };
      const countOf = (wanted: QueryTerm) =>
        formsOf(wanted).reduce((sum, term) => sum + postings.costOf(term), 0);
      const chosen = onlyDiscriminative ? discriminativeTerms(wanted, countOf, documents.live.size) : wanted;
      const affordable = affordableTerms(chosen, countOf);
      return scoreTerms(affordable, postingsOf, {
        documents,
        total: (among ?? documents.live).size,
        sessionLengths,
        zeros,
        accumulator: accumulator.acquire(documents.size),
        asked: wanted,
        countOf,
      });
    },
    matchSyntax(query, request) {
      const words = readBeginnings(query)?.map(({ term, isBeginning }) => {
        const { terms, isCut } = isBeginning ? endings(term) : { terms: [term], isCut: false };
        return { isCut, postings: mergePostings(terms.map(postings.of)) };
      });
      if (words) {
        const lists = words.map((word) => word.postings);
        const found = matchWords(lists, documents, request);
        // An incomplete list of terms is sufficient when it fills the page.
        if (found.length === request.limit || !words.some(({ isCut }) => isCut)) return found;
      }
      const expression = translateSyntax(query);
      return expression === null
        ? null
        : bySyntax(expression, request, words ? ALL_BY_SYNTAX : MOST_BY_SYNTAX);
    },
  });

  function bySyntax(
    expression: string,
    request: { kind: RecordKind; within: DocumentSet; limit: number },
    most: number,
  ): readonly { slot: number; score: number }[] | null {
    const { kind, within, limit } = request;
    const all = tables.matchSyntax(kind, expression, most);
    if (all === null) return null;
    const found = all.flatMap(({ recordId, score }) => {
      const slot = documents.slotOf(kind, recordId);
      return slot !== undefined && within.has(slot) ? [{ slot, score }] : [];
    });
    if (found.length < limit && all.length === most && most < ALL_BY_SYNTAX)
      return bySyntax(expression, request, ALL_BY_SYNTAX);
    return found.slice(0, limit);
  }

  /** The terms of a prefix, limited in number. */
  function endings(beginning: string): { terms: readonly string[]; isCut: boolean } {
    const found = postings.termsWithPrefix(beginning, MOST_ENDINGS);
    let cost = 0;
    const terms = [...new Set([beginning, ...found])].filter((term) => {
      cost += postings.costOf(term);
      return term === beginning || cost <= MOST_OF_ENDINGS;
    });
    return { terms, isCut: found.length === MOST_ENDINGS || cost > MOST_OF_ENDINGS };
  }

  /** Returns false while there are more documents. */
  function refresh(most: number): boolean {
    const now = tables.dataVersion();
    if (now === version) return true;
    version = null;
    changes += 1;
    filters.clear();
    const tablesState = tables.state();
    if (tablesState.epoch !== epoch) {
      documents.reset();
      lengths.reset();
      sessionLengths.reset();
      postings.reset();
      epoch = tablesState.epoch;
    }
    const listener = {
      removed(slot: number) {
        removedAny = true;
        lengths.remove(documents.lengths, slot);
        sessionLengths.remove(documents, slot);
      },
      added(slot: number) {
        lengths.add(documents.lengths, slot);
        sessionLengths.add(documents, slot);
      },
    };
    if (!documents.refresh(tables, tablesState, listener, most)) return false;
    lengths.settle();
    postings.refresh(tablesState.generation, removedAny);
    removedAny = false;
    const { indexed, total } = tablesState;
    state = { indexed, total };
    version = now;
    return true;
  }

  function takeIn(most: number): boolean {
    try {
      return refresh(most);
    } catch (error) {
      // The state may be incomplete, so the next read starts again.
      epoch = null;
      version = null;
      throw error;
    }
  }

  async function takeInBySlices(): Promise<void> {
    const takeSlice = () => tables.snapshot(() => takeIn(SLICE));
    // Yields to the event loop before the first step and before the following read.
    if (epoch === null) await setImmediate();
    if (takeSlice()) return;
    await setImmediate();
    await inSlices(takeSlice);
    await setImmediate();
  }

  function onNewest<Value>(work: () => Value): Value {
    return tables.snapshot(() => {
      takeIn(Infinity);
      return work();
    });
  }

  function begin(): { reader: LexicalReader; end(this: void): void } {
    const accumulator = accumulators.begin();
    const row = rows.begin();
    const zeros = (length: number) => row.acquire(length).subarray(0, length).fill(0);
    return {
      reader: createReader(accumulator, zeros),
      end() {
        accumulator.release();
        row.release();
      },
    };
  }

  function read<Value>(work: (reader: LexicalReader) => Value): Value {
    const { reader, end } = begin();
    try {
      return onNewest(() => work(reader));
    } finally {
      end();
    }
  }

  return {
    sessionHosts,
    read,
    catchUp() {
      catchingUp ??= takeInBySlices().finally(() => (catchingUp = undefined));
      return catchingUp;
    },
    readAhead(first) {
      if (ahead >= MOST_AHEAD)
        return {
          read: (work) => read((reader) => work(reader, first(reader))),
          [Symbol.dispose]: () => undefined,
        };
      const { reader, end } = begin();
      let held: { first: ReturnType<typeof first>; changes: number } | null;
      try {
        held = onNewest(() => ({ first: first(reader), changes }));
      } catch (error) {
        end();
        throw error;
      }
      ahead += 1;
      return {
        read: (work) =>
          read((current) =>
            held?.changes === changes ? work(reader, held.first) : work(current, first(current)),
          ),
        [Symbol.dispose]() {
          if (held) ahead -= 1;
          held = null;
          end();
        },
      };
    },
  };
}

function keyOf(filter: RecordFilter): string {
  return JSON.stringify(
    Object.entries(filter)
      .filter(([, value]) => value !== undefined)
      .toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
}
