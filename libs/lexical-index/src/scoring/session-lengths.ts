import { FIELDS } from '../analysis/analyze-record.js';
import { lengthOfByte } from '../tables/field-length.js';
import type { DocumentTable } from '../documents/document-table.js';
import { grownTo } from '../growing-array.js';

/** The number of words of all records of each session, by session number. */
export interface SessionLengths {
  /** Number of sessions with a record. */
  readonly count: number;
  /** Mean of those sessions. */
  readonly average: number;
  /** By session. */
  readonly words: Float64Array;
  add(documents: DocumentTable, slot: number): void;
  remove(documents: DocumentTable, slot: number): void;
  reset(): void;
}

export function createSessionLengths(): SessionLengths {
  let words = new Float64Array(0);
  let records = new Uint32Array(0);
  let count = 0;
  let total = 0;

  function change(documents: DocumentTable, slot: number, sign: 1 | -1): void {
    const session = documents.session[slot] ?? 0;
    words = grownTo(words, session + 1);
    records = grownTo(records, session + 1);
    const { lengths } = documents;
    let length = 0;
    for (let field = 0; field < FIELDS.length; field += 1)
      length += lengthOfByte(lengths[slot * FIELDS.length + field] ?? 0);
    const before = records[session] ?? 0;
    words[session] = (words[session] ?? 0) + sign * length;
    records[session] = before + sign;
    total += sign * length;
    if (sign === 1 && before === 0) count += 1;
    if (sign === -1 && before === 1) count -= 1;
  }

  return {
    get count() {
      return count;
    },
    get average() {
      return total / Math.max(1, count);
    },
    get words() {
      return words;
    },
    add: (documents, slot) => change(documents, slot, 1),
    remove: (documents, slot) => change(documents, slot, -1),
    reset() {
      words.fill(0);
      records.fill(0);
      count = 0;
      total = 0;
    },
  };
}
