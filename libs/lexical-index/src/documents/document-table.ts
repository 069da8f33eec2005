import { FIELDS } from '../analysis/analyze-record.js';
import type { IndexTables, IndexTablesState } from '../tables/index-reader.js';
import { RECORD_KINDS, type IndexedRecord, type RecordKind } from './record.js';
import { createColumns } from './columns.js';
import { createDocumentSet, type DocumentSet } from './document-set.js';
import { createIdMap } from './id-map.js';
import { createSessionOrder, NONE } from './session-order.js';

/**
 * All records of the index as columns in memory. A slot is the position of a record in them. Slots follow the order
 * of writing and stay the same until `reset`. Slots of removed records are skipped.
 */
export interface DocumentTable {
  /** All slots are below this number. */
  readonly size: number;
  readonly live: DocumentSet;
  readonly kind: Uint8Array;
  readonly recordId: Uint32Array;
  readonly projectId: Uint32Array;
  readonly promptNumber: Uint32Array;
  readonly createdAt: Float64Array;
  /** An internal number for the session, see `sessionIdOf`. */
  readonly session: Uint32Array;
  /** Encoded length of each field, `FIELDS.length` values per slot. */
  readonly lengths: Uint8Array;
  /** An internal number for the type, see `typeNumber`. */
  readonly type: Uint32Array;
  readonly sessionCount: number;
  /** Incremented by each `reset`, after which slots have another meaning. */
  readonly resets: number;
  isLive(slot: number): boolean;
  typeOf(slot: number): string | null;
  typeNumber(type: string): number | undefined;
  sessionIdOf(session: number): number;
  sessionNumber(sessionId: number): number | undefined;
  recordOf(slot: number): IndexedRecord;
  slotOf(kind: RecordKind, recordId: number): number | undefined;
  /** Returns the slot of a document. The document may have been removed. */
  slotOfDocument(documentId: number): number;
  /** Lists the documents of a session by prompt number, time and id. */
  sessionSlots(session: number): readonly number[];
  /** The next document of the same session. NONE after the last one. */
  next(slot: number): number;
  /** The previous document of the same session. NONE before the first one. */
  previous(slot: number): number;
  /** Sorts newer documents first, then larger ids. The order is the same in every index of a memory. */
  newerFirst(left: number, right: number): number;
}

export interface GrowingDocumentTable extends DocumentTable {
  /**
   * Reads the documents that were removed and written since the last call, and calls back for each. Must run inside a
   * snapshot. Reads at most `most` written documents, and returns false when there are more.
   */
  refresh(
    tables: IndexTables,
    state: IndexTablesState,
    heed: { removed(slot: number): void; added(slot: number): void },
    most: number,
  ): boolean;
  /** Removes all documents. */
  reset(): void;
}

export function createDocumentTable(): GrowingDocumentTable {
  let firstId: number | null = null;
  let lastDocumentId = 0;
  let lastRemovalId = 0;
  let resets = 0;

  const isLive = (slot: number) => live.has(slot);
  const compare = (left: number, right: number) =>
    (columns.promptNumber[left] ?? 0) - (columns.promptNumber[right] ?? 0) ||
    (columns.createdAt[left] ?? 0) - (columns.createdAt[right] ?? 0) ||
    (columns.recordId[left] ?? 0) - (columns.recordId[right] ?? 0) ||
    (columns.kind[left] ?? 0) - (columns.kind[right] ?? 0);
  let { columns, live, order, types, sessions, slots } = empty(compare);

  return {
    get size() {
      return columns.size;
    },
    get live() {
      return live;
    },
    get kind() {
      return columns.kind;
    },
    get recordId() {
      return columns.recordId;
    },
    get projectId() {
      return columns.projectId;
    },
    get promptNumber() {
      return columns.promptNumber;
    },
    get createdAt() {
      return columns.createdAt;
    },
    get session() {
      return columns.session;
    },
    get lengths() {
      return columns.lengths;
    },
    get type() {
      return columns.type;
    },
    get sessionCount() {
      return sessions.size;
    },
    get resets() {
      return resets;
    },
    isLive,
    typeOf: (slot) => types.valueOf(columns.type[slot] ?? 0) ?? null,
    typeNumber: (type) => types.numberOf(type),
    sessionIdOf: (session) => sessions.valueOf(session) ?? 0,
    sessionNumber: (sessionId) => sessions.numberOf(sessionId),
    recordOf: (slot) => ({
      kind: RECORD_KINDS[columns.kind[slot] ?? 0] ?? 'observation',
      recordId: columns.recordId[slot] ?? 0,
      projectId: columns.projectId[slot] ?? 0,
      sessionId: sessions.valueOf(columns.session[slot] ?? 0) ?? 0,
      promptNumber: columns.promptNumber[slot] ?? 0,
      type: types.valueOf(columns.type[slot] ?? 0) ?? null,
      createdAtEpoch: columns.createdAt[slot] ?? 0,
    }),
    slotOf: (kind, recordId) => slots[RECORD_KINDS.indexOf(kind)]?.get(recordId),
    slotOfDocument: (documentId) => documentId - (firstId ?? 0),
    sessionSlots(session) {
      const found: number[] = [];
      for (let slot = order.first(session); slot !== NONE; slot = order.next(session, slot)) found.push(slot);
      return found;
    },
    next: (slot) => order.next(columns.session[slot] ?? 0, slot),
    previous: (slot) => order.previous(columns.session[slot] ?? 0, slot),
    newerFirst: (left, right) =>
      (columns.createdAt[right] ?? 0) - (columns.createdAt[left] ?? 0) ||
      (columns.recordId[right] ?? 0) - (columns.recordId[left] ?? 0) ||
      (columns.kind[left] ?? 0) - (columns.kind[right] ?? 0),
    refresh(tables, state, heed, most) {
      if (firstId === null) lastRemovalId = state.lastRemovalId;
      if (state.lastRemovalId > lastRemovalId) {
        for (const { documentId } of tables.removalsAfter(lastRemovalId)) {
          const slot = documentId === null || firstId === null ? -1 : documentId - firstId;
          if (slot < 0 || !live.has(slot)) continue;
          heed.removed(slot);
          live.remove(slot);
          order.remove(columns.session[slot] ?? 0, slot);
          const ofKind = slots[columns.kind[slot] ?? 0];
          const recordId = columns.recordId[slot] ?? 0;
          if (ofKind?.get(recordId) === slot) ofKind.delete(recordId);
        }
        lastRemovalId = state.lastRemovalId;
      }
      if (state.lastDocumentId <= lastDocumentId) return true;
      let taken = 0;
      for (const row of tables.documentsAfter(lastDocumentId)) {
        const [id, kind, recordId, projectId, sessionId, promptNumber, createdAt, type, lengths] = row;
        if (firstId === null) {
          firstId = id;
          columns.reserve(state.lastDocumentId - id + 1);
        }
        const slot = id - firstId;
        const session = sessions.add(sessionId);
        columns.write(slot, {
          kind,
          recordId,
          projectId,
          session,
          promptNumber,
          createdAt,
          type: type === null ? 0 : types.add(type),
          lengths,
        });
        live.add(slot);
        order.append(session, slot);
        slots[kind]?.set(recordId, slot);
        heed.added(slot);
        lastDocumentId = id;
        taken += 1;
        if (taken >= most && id < state.lastDocumentId) return false;
      }
      lastDocumentId = state.lastDocumentId;
      return true;
    },
    reset() {
      ({ columns, live, order, types, sessions, slots } = empty(compare));
      firstId = null;
      lastDocumentId = 0;
      lastRemovalId = 0;
      resets += 1;
    },
  };
}

function empty(compare: (left: number, right: number) => number) {
  return {
    columns: createColumns(FIELDS.length),
    live: createDocumentSet(0),
    order: createSessionOrder(compare),
    types: numbered<string | null>(null),
    sessions: numbered<number>(),
    slots: RECORD_KINDS.map(() => createIdMap()),
  };
}

/** Small numbers for values, in order of appearance. */
function numbered<Value>(...known: Value[]) {
  const values: Value[] = [...known];
  const numbers = new Map(values.map((value, number) => [value, number]));
  return {
    get size() {
      return values.length;
    },
    add(value: Value): number {
      const number = numbers.get(value);
      if (number !== undefined) return number;
      numbers.set(value, values.length);
      return values.push(value) - 1;
    },
    numberOf: (value: Value) => numbers.get(value),
    valueOf: (number: number) => values[number],
  };
}
