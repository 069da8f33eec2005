import type { Embedder } from '../../ports/embedder.js';
import { DIMENSIONS } from './create-encoder.js';

/** Texts that wait for their vectors. */
export interface EmbedRequest {
  readonly texts: readonly string[];
  readonly for: 'query' | 'document';
  readonly vectors: Float32Array[];
  /** Number of times that the next chunk was sent. */
  attempts: number;
}

/** Requests stay in the queue until their last vector arrives. */
export interface RequestQueue {
  /** Resolves with one vector per text. An aborted request leaves the queue. */
  add: Embedder['embed'];
  /** The oldest query, or the oldest request when there are no queries. */
  next(): EmbedRequest | undefined;
  /** Adds the vectors of the next texts, one after the other. */
  addVectors(request: EmbedRequest, vectors: Float32Array): void;
  rejectAll(error: Error): void;
}

export function createRequestQueue(): RequestQueue {
  const requests = new Map<EmbedRequest, (error?: unknown) => void>();

  return {
    add: (texts, { for: purpose, signal }) =>
      new Promise((resolve, reject) => {
        const request: EmbedRequest = { texts, for: purpose, vectors: [], attempts: 0 };
        const end = (error?: unknown) => {
          requests.delete(request);
          signal?.removeEventListener('abort', onAbort);
          if (error === undefined) resolve(request.vectors);
          else reject(error);
        };
        const onAbort = () => end(signal?.reason);
        signal?.addEventListener('abort', onAbort, { once: true });
        requests.set(request, end);
      }),
    next() {
      const waiting = [...requests.keys()];
      return waiting.find((request) => request.for === 'query') ?? waiting[0];
    },
    addVectors(request, vectors) {
      for (let start = 0; start < vectors.length; start += DIMENSIONS)
        request.vectors.push(vectors.slice(start, start + DIMENSIONS));
      if (request.vectors.length === request.texts.length) requests.get(request)?.();
    },
    rejectAll(error) {
      for (const end of requests.values()) end(error);
    },
  };
}

/** Limits of a chunk. A query waits for at most one chunk, about 15 ms. */
const CHUNK_TEXTS = 8;
/** In UTF-16 code units. */
const CHUNK_LENGTH = 600;

/** Returns the texts of a request to send next. */
export function nextChunk({ texts, vectors }: EmbedRequest): readonly string[] {
  const start = vectors.length;
  let end = start + 1;
  let length = texts[start]?.length ?? 0;
  while (end < texts.length && end < start + CHUNK_TEXTS) {
    length += texts[end]?.length ?? 0;
    if (length > CHUNK_LENGTH) break;
    end += 1;
  }
  return texts.slice(start, end);
}
