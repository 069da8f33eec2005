import { grownTo } from '../growing-array.js';

interface Row {
  kind: number;
  recordId: number;
  projectId: number;
  session: number;
  promptNumber: number;
  createdAt: number;
  type: number;
  lengths: Uint8Array;
}

/** Typed arrays that grow together. */
export interface Columns {
  readonly size: number;
  readonly kind: Uint8Array;
  readonly recordId: Uint32Array;
  readonly projectId: Uint32Array;
  readonly session: Uint32Array;
  readonly promptNumber: Uint32Array;
  readonly createdAt: Float64Array;
  readonly type: Uint32Array;
  readonly lengths: Uint8Array;
  reserve(capacity: number): void;
  write(slot: number, row: Row): void;
}

export function createColumns(fields: number): Columns {
  let size = 0;
  let kind = new Uint8Array(0);
  let recordId = new Uint32Array(0);
  let projectId = new Uint32Array(0);
  let session = new Uint32Array(0);
  let promptNumber = new Uint32Array(0);
  let createdAt = new Float64Array(0);
  let type = new Uint32Array(0);
  let lengths = new Uint8Array(0);

  function reserve(wanted: number): void {
    if (wanted <= kind.length) return;
    kind = grownTo(kind, wanted);
    recordId = grownTo(recordId, wanted);
    projectId = grownTo(projectId, wanted);
    session = grownTo(session, wanted);
    promptNumber = grownTo(promptNumber, wanted);
    createdAt = grownTo(createdAt, wanted);
    type = grownTo(type, wanted);
    lengths = grownTo(lengths, kind.length * fields);
  }

  return {
    get size() {
      return size;
    },
    get kind() {
      return kind;
    },
    get recordId() {
      return recordId;
    },
    get projectId() {
      return projectId;
    },
    get session() {
      return session;
    },
    get promptNumber() {
      return promptNumber;
    },
    get createdAt() {
      return createdAt;
    },
    get type() {
      return type;
    },
    get lengths() {
      return lengths;
    },
    reserve,
    write(slot, row) {
      reserve(slot + 1);
      kind[slot] = row.kind;
      recordId[slot] = row.recordId;
      projectId[slot] = row.projectId;
      session[slot] = row.session;
      promptNumber[slot] = row.promptNumber;
      createdAt[slot] = row.createdAt;
      type[slot] = row.type;
      for (let field = 0; field < fields; field += 1)
        lengths[slot * fields + field] = row.lengths[field] ?? 0;
      size = Math.max(size, slot + 1);
    },
  };
}
