import { FIELDS } from '../analysis/analyze-record.js';
import { NUMBER_BYTES, readNumber, writeNumber } from './bytes.js';
import { damaged } from './index-damage.js';

/** Where one term stands. */
export interface Posting {
  documentId: number;
  /** How often in each field, in the order of FIELDS; more than 255 count as 255. */
  counts: readonly number[] | Uint8Array;
}

export interface Postings {
  /** Ascending, each once. */
  documents: Uint32Array;
  /** FIELDS.length for each document, in its order. */
  counts: Uint8Array;
}

/** Two of them share a page of the database. */
const BLOCK_BYTES = 2_000;
/** The largest distance and the counts of one posting. */
const POSTING_BYTES = NUMBER_BYTES + 1 + FIELDS.length;
const ALL_ONCE = 0x80;
const WIDTH = FIELDS.length;
const FIELD_BITS = (1 << WIDTH) - 1;

/**
 * Adds later documents to the last block of a term, or encodes all when that is null. Returns the blocks that replace the last one.
 * A block contains the number of postings, its last document, and the distance of the first document from the last. Each posting
 * contains the distance from the posting before, the fields as bits, and the counts unless all are 1.
 */
export function appendPostings(
  lastBlock: Uint8Array | null,
  postings: readonly Posting[],
): readonly Uint8Array[] {
  const builder = createBlockBuilder();
  const encoded = new Uint8Array(1 + WIDTH);
  builder.begin(lastBlock);
  for (const { documentId, counts } of postings)
    builder.add(documentId, encoded, 0, writeFieldCounts(encoded, 0, counts));
  return builder.finish();
}

/** Builds the blocks of one term after another in memory of its own. */
export interface BlockBuilder {
  /** Begins with the last block of a term, which grows; null when it has none. */
  begin(lastBlock: Uint8Array | null): void;
  /** Adds a document, larger than those before, with its counts as `writeFieldCounts` wrote them. */
  add(documentId: number, source: Uint8Array, start: number, end: number): void;
  /** The blocks in place of the last one. */
  finish(): readonly Uint8Array[];
}

export function createBlockBuilder(): BlockBuilder {
  const body = new Uint8Array(2 * BLOCK_BYTES + POSTING_BYTES);
  let blocks: Uint8Array[] = [];
  let size = 0;
  let count = 0;
  let first = 0;
  let last = 0;

  const close = () => {
    const block = Buffer.allocUnsafe(
      numberBytes(count) + numberBytes(last) + numberBytes(last - first) + size,
    );
    let at = writeNumber(block, 0, count);
    at = writeNumber(block, at, last);
    at = writeNumber(block, at, last - first);
    block.set(body.subarray(0, size), at);
    blocks.push(block);
    size = 0;
    count = 0;
  };

  return {
    begin(lastBlock) {
      blocks = [];
      size = 0;
      count = 0;
      if (lastBlock === null) return;
      const header = readHeader(lastBlock);
      ({ count, first, last } = header);
      if (lastBlock.length > 2 * BLOCK_BYTES) throw damaged();
      size = lastBlock.length - header.start;
      body.set(lastBlock.subarray(header.start));
    },
    add(documentId, source, start, end) {
      if (size > BLOCK_BYTES) close();
      if (count === 0) first = documentId;
      else {
        if (documentId <= last) throw damaged();
        size = writeNumber(body, size, documentId - last);
      }
      for (let at = start; at < end; at += 1) body[size++] = source[at] as number;
      last = documentId;
      count += 1;
    },
    finish() {
      if (count > 0) close();
      return blocks;
    },
  };
}

/** @throws ClaudeMemError `storage/corrupt` */
export function decodePostings(blocks: readonly Uint8Array[]): Postings {
  const headers = blocks.map(readHeader);
  const total = headers.reduce((sum, { count }) => sum + count, 0);
  const documents = new Uint32Array(total);
  const counts = new Uint8Array(total * WIDTH);
  let slot = 0;
  let previous = -1;
  blocks.forEach((block, place) => {
    const { count, first, last, start } = headers[place] ?? readHeader(block);
    if (first <= previous) throw damaged();
    const { length } = block;
    const end = slot + count;
    let at = start;
    let document = first;
    for (let isFirst = true; slot < end; slot += 1, isFirst = false) {
      if (!isFirst) {
        let part = block[at++] as number;
        let distance = part & 0x7f;
        for (let shift = 7; part >= 0x80 && shift < 35; shift += 7) {
          part = block[at++] as number;
          distance += (part & 0x7f) * 2 ** shift;
        }
        if (!(distance > 0)) throw damaged();
        document += distance;
      }
      documents[slot] = document;
      const mask = block[at++] as number;
      const row = slot * WIDTH;
      const isOnce = mask >= ALL_ONCE;
      for (let bits = mask & FIELD_BITS; bits !== 0; bits &= bits - 1)
        counts[row + 31 - Math.clz32(bits & -bits)] = isOnce ? 1 : (block[at++] as number);
      if (at > length) throw damaged();
    }
    if (document !== last || at !== length) throw damaged();
    previous = last;
  });
  return { documents, counts };
}

/**
 * How many postings the blocks hold.
 * @throws ClaudeMemError `storage/corrupt`
 */
export function countPostings(blocks: readonly Uint8Array[]): number {
  return blocks.reduce((sum, block) => sum + readHeader(block).count, 0);
}

function readHeader(block: Uint8Array) {
  const cursor = { at: 0 };
  const count = readNumber(block, cursor);
  const last = readNumber(block, cursor);
  const first = last - readNumber(block, cursor);
  const start = cursor.at;
  if (count === 0 || count > block.length - start || first < 0 || last > 0xffff_ffff) throw damaged();
  return { count, first, last, start };
}

function numberBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes += 1;
  return bytes;
}

/** The fields as bits, and the counts unless all are 1. Returns where it ends. */
export function writeFieldCounts(target: Uint8Array, start: number, counts: Posting['counts']): number {
  let mask = 0;
  let isOnce = true;
  for (let field = 0; field < WIDTH; field += 1) {
    const count = counts[field] ?? 0;
    if (count <= 0) continue;
    mask |= 1 << field;
    if (count !== 1) isOnce = false;
  }
  target[start] = isOnce ? mask | ALL_ONCE : mask;
  let at = start + 1;
  for (let field = 0; field < WIDTH && !isOnce; field += 1)
    if ((mask >> field) & 1) target[at++] = Math.min(counts[field] ?? 0, 255);
  return at;
}

/** How many bytes after the first `writeFieldCounts` wrote. */
export function countBytesAfter(mask: number): number {
  if (mask >= ALL_ONCE) return 0;
  let bytes = 0;
  for (let field = 0; field < WIDTH; field += 1) bytes += (mask >> field) & 1;
  return bytes;
}

/** What `writeFieldCounts` wrote, from where it begins. */
export function readFieldCounts(source: Uint8Array, start: number): Uint8Array {
  const counts = new Uint8Array(WIDTH);
  const mask = source[start] ?? 0;
  let at = start + 1;
  for (let field = 0; field < WIDTH; field += 1)
    if ((mask >> field) & 1) counts[field] = mask >= ALL_ONCE ? 1 : (source[at++] ?? 0);
  return counts;
}
