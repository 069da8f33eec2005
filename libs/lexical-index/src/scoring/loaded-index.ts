import { setImmediate } from 'node:timers/promises';
import { createDocumentTable, type DocumentTable } from '../documents/document-table.js';
import type { IndexState } from '../documents/record.js';
import { inSlices } from '../in-slices.js';
import type { IndexTables } from '../tables/index-reader.js';
import { createFieldLengths } from './field-lengths.js';
import { createPostingsSource, type PostingsSource } from './postings-source.js';
import { createSessionLengths, type SessionLengths } from './session-lengths.js';

/** The index in memory. */
export interface LoadedIndex {
  readonly documents: DocumentTable;
  readonly postings: PostingsSource;
  readonly sessionLengths: SessionLengths;
  readonly state: IndexState;
  /** Increases whenever documents are read. */
  readonly changes: number;
  /** Runs a function on the newest state of the database. */
  read<Value>(work: () => Value): Value;
  /** Reads new documents in small steps and yields to the event loop in between. */
  catchUp(): Promise<void>;
}

const CACHE_BYTES = 24 * 1024 * 1024;
const CACHE_BYTES_PER_DOCUMENT = 64;
/** Documents per step of `catchUp`, as many as the tables read at once: a few milliseconds. */
const SLICE = 4_096;

/** Nothing is read before the first call. */
export function createLoadedIndex(tables: IndexTables, cacheBytes: number | undefined): LoadedIndex {
  const documents = createDocumentTable();
  const lengths = createFieldLengths();
  const sessionLengths = createSessionLengths();
  const postings = createPostingsSource(tables, documents, lengths, {
    cacheBytes: cacheBytes ?? CACHE_BYTES,
    cacheBytesPerDocument: cacheBytes === undefined ? CACHE_BYTES_PER_DOCUMENT : 0,
  });
  let version: number | null = null;
  let epoch: number | null = null;
  let state: IndexState = { indexed: 0, total: 0 };
  let changes = 0;
  /** Documents were removed since the postings were refreshed. */
  let removedAny = false;
  let catchingUp: Promise<void> | undefined;
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

  /** Returns false while there are more documents. */
  function refresh(most: number): boolean {
    const now = tables.dataVersion();
    if (now === version) return true;
    version = null;
    changes += 1;
    const tablesState = tables.state();
    if (tablesState.epoch !== epoch) {
      documents.reset();
      lengths.reset();
      sessionLengths.reset();
      postings.reset();
    }
    // After an error, the data in memory may be incomplete, so the next call starts again.
    epoch = null;
    const isDone = documents.refresh(tables, tablesState, listener, most);
    if (isDone) {
      lengths.settle();
      postings.refresh(tablesState.generation, removedAny);
      removedAny = false;
      state = { indexed: tablesState.indexed, total: tablesState.total };
      version = now;
    }
    epoch = tablesState.epoch;
    return isDone;
  }

  async function refreshBySlices(): Promise<void> {
    const refreshSlice = () => tables.snapshot(() => refresh(SLICE));
    // Yields to the event loop before the first step and before the following read.
    if (epoch === null) await setImmediate();
    if (refreshSlice()) return;
    await setImmediate();
    await inSlices(refreshSlice);
    await setImmediate();
  }

  return {
    documents,
    postings,
    sessionLengths,
    get state() {
      return state;
    },
    get changes() {
      return changes;
    },
    read: (work) =>
      tables.snapshot(() => {
        refresh(Infinity);
        return work();
      }),
    catchUp() {
      catchingUp ??= refreshBySlices().finally(() => (catchingUp = undefined));
      return catchingUp;
    },
  };
}
