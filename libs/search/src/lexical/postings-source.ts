import { FIELDS } from '@claude-mem/analysis';
import { decodeDocumentTerms, decodePostings, type SearchTables } from '@claude-mem/storage/search-tables';
import type { DocumentTable } from '../documents/document-table.js';
import type { FieldLengths } from './field-lengths.js';
import { mergePostings, NO_POSTINGS, strengthOf, type TermPostings } from './term-postings.js';

/** The postings of terms, of all live documents, whether they were folded or not. */
export interface PostingsSource {
  of(term: string): TermPostings;
  /** Terms that begin so, in order, at most `limit`. */
  termsWithPrefix(prefix: string, limit: number): readonly string[];
  /** Takes in what was written since. Must run inside a snapshot, after the documents. */
  refresh(generation: number, removedAny: boolean): void;
  reset(): void;
}

interface Pending {
  slots: number[];
  /** FIELDS.length for each. */
  counts: number[];
}

const BYTES_PER_POSTING = 8;
const BYTES_PER_TERM = 256;

export function createPostingsSource(
  tables: SearchTables,
  documents: DocumentTable,
  lengths: FieldLengths,
  { cacheBytes }: { cacheBytes: number },
): PostingsSource {
  const cache = new Map<string, TermPostings>();
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
    const id = tables.termId(term);
    const postings = id === undefined ? NO_POSTINGS : decode(tables.postings(id));
    const bytes = bytesOf(postings);
    if (bytes > cacheBytes) return postings;
    cache.set(term, postings);
    cachedBytes += bytes;
    for (const [oldest, value] of cache) {
      if (cachedBytes <= cacheBytes) break;
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
    termsWithPrefix: (prefix, limit) => tables.termsWithPrefix(prefix, limit).map(({ term }) => term),
    refresh(now, removedAny) {
      if (now !== generation) {
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
      pending.clear();
      lastPendingId = 0;
      generation = null;
    },
  };
}

const bytesOf = ({ slots }: TermPostings) => slots.length * BYTES_PER_POSTING + BYTES_PER_TERM;
