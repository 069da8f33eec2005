import { FIELDS } from '@claude-mem/analysis';
import { createByteReader, createByteWriter, damaged } from './bytes.js';

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
const HEADER_BYTES = 15;
const ALL_ONCE = 0x80;
const WIDTH = FIELDS.length;
const FIELD_BITS = (1 << WIDTH) - 1;

/**
 * Postings in ascending order of documents as blocks. A block says how many it holds, its last document, and how far the first
 * is from it; then for each the distance from the one before, the fields as bits, and the counts unless all are 1.
 */
export function encodePostings(postings: readonly Posting[]): readonly Uint8Array[] {
  return appendPostings(null, postings);
}

/** Adds later documents to a term's last block. Returns what takes its place: that block, and those it overflowed into. */
export function appendPostings(
  lastBlock: Uint8Array | null,
  postings: readonly Posting[],
): readonly Uint8Array[] {
  const blocks: Uint8Array[] = [];
  let block = startBlock(lastBlock);
  for (const { documentId, counts } of postings) {
    if (block.count > 0 && documentId <= block.last) throw damaged();
    if (block.size > BLOCK_BYTES) {
      blocks.push(finishBlock(block));
      block = startBlock(null);
    }
    if (block.count === 0) block.first = documentId;
    else block.size += writeDistance(block, documentId - block.last);
    block.size += writeCounts(block, counts);
    block.last = documentId;
    block.count += 1;
  }
  if (block.count > 0) blocks.push(finishBlock(block));
  return blocks;
}

/** @throws StorageError `storage/corrupt` */
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

interface OpenBlock {
  count: number;
  first: number;
  last: number;
  size: number;
  body: ReturnType<typeof createByteWriter>;
}

function startBlock(block: Uint8Array | null): OpenBlock {
  if (block === null) return { count: 0, first: 0, last: 0, size: 0, body: createByteWriter(64) };
  const { count, first, last, start } = readHeader(block);
  const body = createByteWriter(block.length + 64);
  body.bytes(block.subarray(start));
  return { count, first, last, size: block.length, body };
}

function finishBlock({ count, first, last, body }: OpenBlock): Uint8Array {
  const header = createByteWriter(HEADER_BYTES);
  header.number(count);
  header.number(last);
  header.number(last - first);
  header.bytes(body.finish());
  return header.finish();
}

function readHeader(block: Uint8Array) {
  const reader = createByteReader(block);
  const count = reader.number();
  const last = reader.number();
  const first = last - reader.number();
  if (count === 0 || count > reader.left || first < 0 || last > 0xffff_ffff) throw damaged();
  return { count, first, last, start: block.length - reader.left };
}

function writeDistance({ body }: OpenBlock, distance: number): number {
  body.number(distance);
  return distance < 0x80 ? 1 : distance < 0x4000 ? 2 : 5;
}

function writeCounts({ body }: OpenBlock, counts: Posting['counts']): number {
  return writeFieldCounts(body, counts);
}

/** The fields as bits, and the counts unless all are 1. Returns how many bytes that took. */
export function writeFieldCounts(
  writer: ReturnType<typeof createByteWriter>,
  counts: Posting['counts'],
): number {
  let mask = 0;
  let isOnce = true;
  for (let field = 0; field < WIDTH; field += 1) {
    const count = counts[field] ?? 0;
    if (count <= 0) continue;
    mask |= 1 << field;
    if (count !== 1) isOnce = false;
  }
  if (isOnce) {
    writer.byte(mask | ALL_ONCE);
    return 1;
  }
  writer.byte(mask);
  let size = 1;
  for (let field = 0; field < WIDTH; field += 1) {
    if (!((mask >> field) & 1)) continue;
    writer.byte(Math.min(counts[field] ?? 0, 255));
    size += 1;
  }
  return size;
}

/** What `writeFieldCounts` wrote. */
export function readFieldCounts(reader: ReturnType<typeof createByteReader>): Uint8Array {
  const counts = new Uint8Array(WIDTH);
  const mask = reader.byte();
  for (let field = 0; field < WIDTH; field += 1)
    if ((mask >> field) & 1) counts[field] = mask >= ALL_ONCE ? 1 : reader.byte();
  return counts;
}
