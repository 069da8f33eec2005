import { FIELDS } from '../analysis/analyze-record.js';
import { damaged } from './index-damage.js';
import { countBytesAfter, readFieldCounts, writeFieldCounts } from './postings.js';

export interface DocumentTerm {
  term: string;
  /** Occurrences in each field, in the order of FIELDS. More than 255 count as 255. */
  counts: Uint8Array;
}

const LENGTH_BYTES = 2;
/** In UTF-16 code units, so that the byte length fits in LENGTH_BYTES. No word of a text is that long. */
const LONGEST_TERM = 20_000;

/** Whether the index accepts the term. Longer ones are skipped. */
export const isStorableTerm = (term: string) => term.length <= LONGEST_TERM;

/**
 * Encodes the terms of a document that is not in the postings yet: the length before and the counts after each term.
 * `count` is the number of terms. A term that is not storable is skipped.
 */
export function packDocumentTerms(terms: ReadonlyMap<string, readonly number[]>): {
  data: Uint8Array;
  count: number;
} {
  let capacity = 0;
  for (const term of terms.keys()) capacity += LENGTH_BYTES + 3 * term.length + 1 + FIELDS.length;
  const buffer = Buffer.allocUnsafe(capacity);
  let at = 0;
  let count = 0;
  for (const [term, counts] of terms) {
    if (!isStorableTerm(term)) continue;
    const length = writeText(buffer, at + LENGTH_BYTES, term);
    buffer[at] = length & 0xff;
    buffer[at + 1] = length >> 8;
    at = writeFieldCounts(buffer, at + LENGTH_BYTES + length, counts);
    count += 1;
  }
  return { data: buffer.subarray(0, at), count };
}

/** Returns the number of bytes. Most terms are ASCII, for which a copy is faster than an encoder call. */
function writeText(buffer: Buffer, start: number, text: string): number {
  const { length } = text;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return buffer.write(text, start);
    buffer[start + at] = code;
  }
  return length;
}

/** @throws ClaudeMemError `storage/corrupt` */
export function decodeDocumentTerms(data: Uint8Array): readonly DocumentTerm[] {
  const terms: DocumentTerm[] = [];
  const buffer = bufferOf(data);
  visitDocumentTerms(data, (from, start) =>
    terms.push({ term: buffer.toString('utf8', from, start), counts: readFieldCounts(data, start) }),
  );
  return terms;
}

/** Returns only the terms. @throws ClaudeMemError `storage/corrupt` */
export function termsIn(data: Uint8Array): readonly string[] {
  const terms: string[] = [];
  const buffer = bufferOf(data);
  visitDocumentTerms(data, (from, start) => terms.push(buffer.toString('utf8', from, start)));
  return terms;
}

/**
 * Calls back for each term with the start of the term, the start of its counts, and their end in the data. @throws
 * ClaudeMemError `storage/corrupt`
 */
export function visitDocumentTerms(
  data: Uint8Array,
  visit: (from: number, start: number, end: number) => void,
): void {
  const { length } = data;
  for (let at = 0; at < length;) {
    if (at + LENGTH_BYTES > length) throw damaged();
    const from = at + LENGTH_BYTES;
    const start = from + (data[at] as number) + (data[at + 1] as number) * 256;
    const mask = data[start];
    if (mask === undefined) throw damaged();
    at = start + 1 + countBytesAfter(mask);
    if (at > length) throw damaged();
    visit(from, start, at);
  }
}

const bufferOf = (data: Uint8Array) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);
