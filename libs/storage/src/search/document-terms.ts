import { FIELDS } from '@claude-mem/analysis';
import { damaged } from './bytes.js';
import { countBytesAfter, readFieldCounts, writeFieldCounts } from './postings.js';

export interface DocumentTerm {
  term: string;
  /** How often in each field, in the order of FIELDS; more than 255 count as 255. */
  counts: Uint8Array;
}

const LENGTH_BYTES = 2;
/** In UTF-16 units, so that the bytes can be counted in LENGTH_BYTES. No word of a text is that long. */
const LONGEST_TERM = 20_000;

/** The terms of a document that is not in the postings yet: each with its length before it and its counts behind it. */
export function encodeDocumentTerms(terms: ReadonlyMap<string, readonly number[]>): Uint8Array {
  let capacity = 0;
  for (const term of terms.keys()) capacity += LENGTH_BYTES + 3 * term.length + 1 + FIELDS.length;
  const buffer = Buffer.allocUnsafe(capacity);
  let at = 0;
  for (const [term, counts] of terms) {
    if (term.length > LONGEST_TERM) continue;
    const length = buffer.write(term, at + LENGTH_BYTES);
    buffer.writeUInt16LE(length, at);
    at = writeFieldCounts(buffer, at + LENGTH_BYTES + length, counts);
  }
  return Uint8Array.prototype.slice.call(buffer, 0, at);
}

/** @throws StorageError `storage/corrupt` */
export function decodeDocumentTerms(data: Uint8Array): readonly DocumentTerm[] {
  const terms: DocumentTerm[] = [];
  visitDocumentTerms(data, (term, start) => terms.push({ term, counts: readFieldCounts(data, start) }));
  return terms;
}

/**
 * Calls with each term and where its counts lie in the data.
 * @throws StorageError `storage/corrupt`
 */
export function visitDocumentTerms(
  data: Uint8Array,
  visit: (term: string, start: number, end: number) => void,
): void {
  const buffer = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const { length } = buffer;
  for (let at = 0; at < length;) {
    if (at + LENGTH_BYTES > length) throw damaged();
    const from = at + LENGTH_BYTES;
    const start = from + buffer.readUInt16LE(at);
    const mask = buffer[start];
    if (mask === undefined) throw damaged();
    at = start + 1 + countBytesAfter(mask);
    if (at > length) throw damaged();
    visit(buffer.toString('utf8', from, start), start, at);
  }
}
