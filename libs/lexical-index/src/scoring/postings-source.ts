import { FIELDS } from '../analysis/analyze-record.js';
import { decodeDocumentTerms } from '../tables/document-terms.js';
import type { IndexTables } from '../tables/index-reader.js';
import { countPostings, decodePostings } from '../tables/postings.js';
import type { DocumentTable } from '../documents/document-table.js';
import type { FieldLengths } from './field-lengths.js';
import { mergePostings, strengthOf, type TermPostings } from './term-postings.js';

/** The postings of terms for all live documents, including new ones. */
export interface PostingsSource {
  of(term: string): TermPostings;
  /** Number of records with the term, including some removed ones: the cost of reading its postings. */
  costOf(term: string): number;
  /** Terms with this prefix in order, at most `limit`. */
  termsWithPrefix(prefix: string, limit: number): readonly string[];
  /** Reads new data. Must run inside a snapshot, after the documents. */
  refresh(generation: number, removedAny: boolean): void;
  reset(): void;
}

interface Pending {
  slots: number[];
  /** FIELDS.length values per document. */
  counts: number[];
}

const BYTES_PER_POSTING = 8;
const BYTES_PER_TERM = 256;
const MOST_COSTS = 10_000;

export function createPostingsSource(
  tables: IndexTables,
  documents: DocumentTable,
  lengths: FieldLengths,
  { cacheBytes, cacheBytesPerDocument }: { cacheBytes: number; cacheBytesPerDocument: number },
): PostingsSource {
  const cache = new Map<string, TermPostings>();
  const costs = new Map<string, number>();
  let cachedBytes = 0;
  let cachedVersion = 0;
  let generation: number | null = null;
  let lastPendingId = 0;
  const pending = new Map<string, Pending>();

  function emptyCache(): void {
    cache.clear();
    cachedBytes = 0;
  }

  function folded(term: string): TermPostings {
    if (cachedVersion !== lengths.version) emptyCache();
    cachedVersion = lengths.version;
    const known = cache.get(term);
    if (known) {
      cache.delete(term);
      cache.set(term, known);
      return known;
    }
    const postings = decode(tables.postings(term));
    const bytes = bytesOf(postings);
    const room = Math.max(cacheBytes, documents.size * cacheBytesPerDocument);
    if (bytes > room) return postings;
    cache.set(term, postings);
    cachedBytes += bytes;
    for (const [oldest, value] of cache) {
      if (cachedBytes <= room) break;
      cache.delete(oldest);
      cachedBytes -= bytesOf(value);
    }
    return postings;
  }

  function decode(blocks: readonly Uint8Array[]): TermPostings {
    const decoded = decodePostings(blocks);
    return strengths(decoded.documents, decoded.counts, documents.slotOfDocument);
  }

  function strengths(
    places: ArrayLike<number>,
    counts: ArrayLike<number>,
    slotOf: (place: number) => number,
  ): TermPostings {
    const { live, lengths: encoded } = documents;
    const slots = new Uint32Array(places.length);
    const values = new Float32Array(places.length);
    let count = 0;
    for (let place = 0; place < places.length; place += 1) {
      const slot = slotOf(places[place] ?? 0);
      if (!live.has(slot)) continue;
      const strength = strengthOf(counts, place * FIELDS.length, encoded, slot, lengths.weights);
      slots[count] = slot;
      values[count] = strength;
      count += 1;
    }
    return { slots, strengths: values, count };
  }

  return {
    of(term) {
      const waiting = pending.get(term);
      const old = folded(term);
      if (!waiting) return old;
      const fresh = strengths(waiting.slots, waiting.counts, (slot) => slot);
      return old.count === 0 ? fresh : mergePostings([old, fresh]);
    },
    costOf(term) {
      let cost = costs.get(term);
      if (cost === undefined) {
        cost = countPostings(tables.postings(term));
        if (costs.size >= MOST_COSTS) costs.clear();
        costs.set(term, cost);
      }
      return cost + (pending.get(term)?.slots.length ?? 0);
    },
    termsWithPrefix: (prefix, limit) => tables.termsWithPrefix(prefix, limit),
    refresh(now, removedAny) {
      if (now !== generation) {
        costs.clear();
        pending.clear();
        lastPendingId = 0;
      }
      if (now !== generation || removedAny) emptyCache();
      generation = now;
      for (const { documentId, terms } of tables.unfoldedAfter(lastPendingId)) {
        const slot = documents.slotOfDocument(documentId);
        for (const { term, counts } of decodeDocumentTerms(terms)) {
          let waiting = pending.get(term);
          if (!waiting) pending.set(term, (waiting = { slots: [], counts: [] }));
          waiting.slots.push(slot);
          waiting.counts.push(...counts);
        }
        lastPendingId = documentId;
      }
    },
    reset() {
      emptyCache();
      costs.clear();
      pending.clear();
      lastPendingId = 0;
      generation = null;
    },
  };
}

const bytesOf = ({ slots }: TermPostings) => slots.length * BYTES_PER_POSTING + BYTES_PER_TERM;
