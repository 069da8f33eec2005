import type { DocumentSet } from '../documents/document-set.js';
import type { DocumentTable } from '../documents/document-table.js';
import { newestSlots } from '../documents/newest-slots.js';
import type { IndexState, RecordFilter } from '../documents/record.js';
import { createSessionHosts, type SessionHosts } from '../documents/session-hosts.js';
import type { IndexTables } from '../tables/index-reader.js';
import { createAccumulator, type Accumulator } from './accumulator.js';
import { createFilterCache } from './filter-cache.js';
import { createLoadedIndex } from './loaded-index.js';
import { matchSyntax, type SlotScores, type SyntaxRequest } from './match-syntax.js';
import { createPool } from './pool.js';
import { scoreQuery, type ScoreRequest } from './score-query.js';
import type { TermScores } from './score-terms.js';

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
  score(request: ScoreRequest): TermScores;
  /** The records of a set that match an FTS5 expression of the user, best first. Null when the expression is malformed. */
  matchSyntax(query: string, request: SyntaxRequest): SlotScores | null;
}

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
  const index = createLoadedIndex(tables, cacheBytes);
  const sessionHosts = createSessionHosts(tables);
  const within = createFilterCache(index, sessionHosts);
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
  let ahead = 0;

  function begin(): { reader: LexicalReader; end(this: void): void } {
    const accumulator = accumulators.begin();
    const row = rows.begin();
    const zeros = (length: number) => row.acquire(length).subarray(0, length).fill(0);
    return {
      reader: {
        get state() {
          return index.state;
        },
        documents: index.documents,
        within,
        newest: (request) => newestSlots(request, index.documents),
        numbersOfSessions: () => zeros(index.documents.sessionCount),
        score: (request) => scoreQuery(request, index, { accumulator, zeros }),
        matchSyntax: (query, request) => matchSyntax(query, request, { tables, index }),
      },
      end() {
        accumulator.release();
        row.release();
      },
    };
  }

  function read<Value>(work: (reader: LexicalReader) => Value): Value {
    const { reader, end } = begin();
    try {
      return index.read(() => work(reader));
    } finally {
      end();
    }
  }

  return {
    sessionHosts,
    read,
    catchUp: index.catchUp,
    readAhead(first) {
      if (ahead >= MOST_AHEAD)
        return {
          read: (work) => read((reader) => work(reader, first(reader))),
          [Symbol.dispose]: () => undefined,
        };
      const { reader, end } = begin();
      let held: { first: ReturnType<typeof first>; changes: number } | null;
      try {
        held = index.read(() => ({ first: first(reader), changes: index.changes }));
      } catch (error) {
        end();
        throw error;
      }
      ahead += 1;
      return {
        read: (work) =>
          read((current) =>
            held?.changes === index.changes ? work(reader, held.first) : work(current, first(current)),
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
