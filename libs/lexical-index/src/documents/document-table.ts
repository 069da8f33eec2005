import { FIELDS } from '../analysis/analyze-record.js';
import type { IndexTables, IndexTablesState } from '../tables/index-reader.js';
import type { DocumentRow } from '../tables/document-row.js';
import { grownTo } from '../growing-array.js';
import { RECORD_KINDS, type RecordKind } from './record.js';
import { createDocumentSet, type DocumentSet } from './document-set.js';
import { createIdMap } from './id-map.js';
import { createSessionOrder, NONE } from './session-order.js';

/**
 * Every record of the index as columns in memory. A *slot* is the position of a record in them. Slots increase in the order of
 * writing and stay the same until `reset`. Slots of removed records are not in `live`.
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
  /** Increases with each `reset`, after which the slots are different. */
  readonly resets: number;
  isLive(slot: number): boolean;
  typeOf(slot: number): string | null;
  typeNumber(type: string): number | undefined;
  sessionIdOf(session: number): number;
  sessionNumber(sessionId: number): number | undefined;
  slotOf(kind: RecordKind, recordId: number): number | undefined;
  /** Returns the slot of a document. The document may have been removed. */
  slotOfDocument(documentId: number): number;
  /** The records of a session by prompt number, then time, then id. */
  sessionSlots(session: number): readonly number[];
  /** The next record of the session; NONE after the last. */
  next(slot: number): number;
  /** The previous record of the session; NONE before the first. */
  previous(slot: number): number;
  /** Compares for sorting: newer first, then larger id. The same in every process. */
  newerFirst(left: number, right: number): number;
}

export interface GrowingDocumentTable extends DocumentTable {
  /**
   * Reads removals and at most `most` new documents, and calls `onDocument` for each. Must run inside a snapshot. Returns
   * false while there are more documents.
   */
  refresh(
    tables: IndexTables,
    state: IndexTablesState,
    listener: { removed(slot: number): void; added(slot: number): void },
    most: number,
  ): boolean;
  /** Removes all documents. */
  reset(): void;
}

export function createDocumentTable(): GrowingDocumentTable {
  let firstId: number | null = null;
  let lastDocumentId = 0;
  let lastRemovalId = 0;
  let { order, types, sessions, slots } = emptyMaps(inOrder);

  function inOrder(left: number, right: number): number {
    const { promptNumber, createdAt, recordId, kind } = table;
    return (
      (promptNumber[left] ?? 0) - (promptNumber[right] ?? 0) ||
      (createdAt[left] ?? 0) - (createdAt[right] ?? 0) ||
      (recordId[left] ?? 0) - (recordId[right] ?? 0) ||
      (kind[left] ?? 0) - (kind[right] ?? 0)
    );
  }

  function remove(slot: number): void {
    table.live.remove(slot);
    order.remove(table.session[slot] ?? 0, slot);
    const ofKind = slots[table.kind[slot] ?? 0];
    const recordId = table.recordId[slot] ?? 0;
    if (ofKind?.get(recordId) === slot) ofKind.delete(recordId);
  }

  function write(slot: number, row: DocumentRow): void {
    const [, kind, recordId, projectId, sessionId, promptNumber, createdAt, type, lengths] = row;
    reserve(table, slot + 1);
    const session = sessions.add(sessionId);
    table.kind[slot] = kind;
    table.recordId[slot] = recordId;
    table.projectId[slot] = projectId;
    table.session[slot] = session;
    table.promptNumber[slot] = promptNumber;
    table.createdAt[slot] = createdAt;
    table.type[slot] = types.add(type);
    for (let field = 0; field < FIELDS.length; field += 1)
      table.lengths[slot * FIELDS.length + field] = lengths[field] ?? 0;
    table.size = Math.max(table.size, slot + 1);
    table.live.add(slot);
    order.append(session, slot);
    slots[kind]?.set(recordId, slot);
  }

  const table = {
    ...emptyColumns(),
    resets: 0,
    get sessionCount() {
      return sessions.size;
    },
    isLive: (slot: number) => table.live.has(slot),
    typeOf: (slot: number) => types.valueOf(table.type[slot] ?? 0) ?? null,
    typeNumber: (type: string) => types.numberOf(type),
    sessionIdOf: (session: number) => sessions.valueOf(session) ?? 0,
    sessionNumber: (sessionId: number) => sessions.numberOf(sessionId),
    slotOf: (kind: RecordKind, recordId: number) => slots[RECORD_KINDS.indexOf(kind)]?.get(recordId),
    slotOfDocument: (documentId: number) => documentId - (firstId ?? 0),
    sessionSlots(session: number) {
      const found: number[] = [];
      for (let slot = order.first(session); slot !== NONE; slot = order.next(session, slot)) found.push(slot);
      return found;
    },
    next: (slot: number) => order.next(table.session[slot] ?? 0, slot),
    previous: (slot: number) => order.previous(table.session[slot] ?? 0, slot),
    newerFirst: (left: number, right: number) =>
      (table.createdAt[right] ?? 0) - (table.createdAt[left] ?? 0) ||
      (table.recordId[right] ?? 0) - (table.recordId[left] ?? 0) ||
      (table.kind[left] ?? 0) - (table.kind[right] ?? 0),
    refresh(
      tables: IndexTables,
      state: IndexTablesState,
      listener: { removed(slot: number): void; added(slot: number): void },
      most: number,
    ) {
      if (firstId === null) lastRemovalId = state.lastRemovalId;
      if (state.lastRemovalId > lastRemovalId) {
        for (const { documentId } of tables.removalsAfter(lastRemovalId)) {
          const slot = documentId === null || firstId === null ? -1 : documentId - firstId;
          if (slot < 0 || !table.live.has(slot)) continue;
          listener.removed(slot);
          remove(slot);
        }
        lastRemovalId = state.lastRemovalId;
      }
      if (state.lastDocumentId <= lastDocumentId) return true;
      let taken = 0;
      for (const row of tables.documentsAfter(lastDocumentId)) {
        const [id] = row;
        if (firstId === null) {
          firstId = id;
          reserve(table, state.lastDocumentId - id + 1);
        }
        write(id - firstId, row);
        listener.added(id - firstId);
        lastDocumentId = id;
        taken += 1;
        if (taken >= most && id < state.lastDocumentId) return false;
      }
      lastDocumentId = state.lastDocumentId;
      return true;
    },
    reset() {
      ({ order, types, sessions, slots } = emptyMaps(inOrder));
      Object.assign(table, emptyColumns());
      firstId = null;
      lastDocumentId = 0;
      lastRemovalId = 0;
      table.resets += 1;
    },
  };
  return table;
}

const emptyMaps = (inOrder: (left: number, right: number) => number) => ({
  order: createSessionOrder(inOrder),
  types: numbered<string | null>(null),
  sessions: numbered<number>(),
  slots: RECORD_KINDS.map(() => createIdMap()),
});

type Columns = ReturnType<typeof emptyColumns>;

const emptyColumns = () => ({
  size: 0,
  live: createDocumentSet(0),
  kind: new Uint8Array(0),
  recordId: new Uint32Array(0),
  projectId: new Uint32Array(0),
  session: new Uint32Array(0),
  promptNumber: new Uint32Array(0),
  createdAt: new Float64Array(0),
  type: new Uint32Array(0),
  lengths: new Uint8Array(0),
});

function reserve(columns: Columns, capacity: number): void {
  if (capacity <= columns.kind.length) return;
  columns.kind = grownTo(columns.kind, capacity);
  columns.recordId = grownTo(columns.recordId, capacity);
  columns.projectId = grownTo(columns.projectId, capacity);
  columns.session = grownTo(columns.session, capacity);
  columns.promptNumber = grownTo(columns.promptNumber, capacity);
  columns.createdAt = grownTo(columns.createdAt, capacity);
  columns.type = grownTo(columns.type, capacity);
  columns.lengths = grownTo(columns.lengths, columns.kind.length * FIELDS.length);
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
