import { messageOf, type Clock, type Logger } from '@claude-mem/core';
import type { Embedder } from '../ports/embedder.js';

const CACHED_QUERIES = 256;
/** Queries that are being embedded at one time; one more is not begun. */
const MAX_IN_FLIGHT = 8;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;
/** What is read of a query to embed it; models read less. */
const MAX_LENGTH = 2_000;

/** Vectors of queries: those of the last ones are kept, and an embedder that fails is left alone for a while. */
export interface QueryVectors {
  /** Why the embedder is not asked now; null when it is. */
  problem(): string | null;
  /** Goes on when the caller stops waiting, so that the same query finds it the next time. */
  vectorOf(query: string): Promise<Float32Array>;
  close(): void;
}

export function createQueryVectors(parts: {
  embedder: Embedder;
  clock: Clock;
  logger: Logger;
}): QueryVectors {
  const { embedder, clock, logger } = parts;
  const ending = new AbortController();
  const vectors = new Map<string, Float32Array>();
  const inFlight = new Map<string, Promise<Float32Array>>();
  let failure: { message: string; retryAt: number; delay: number } | null = null;

  const keep = (query: string, vector: Float32Array): void => {
    vectors.delete(query);
    vectors.set(query, vector);
    const oldest = vectors.size > CACHED_QUERIES ? vectors.keys().next().value : undefined;
    if (oldest !== undefined) vectors.delete(oldest);
  };

  const embed = async (query: string): Promise<Float32Array> => {
    try {
      const [vector] = await embedder.embed([query], { for: 'query', signal: ending.signal });
      if (!vector?.every(Number.isFinite)) throw new Error('the embedder gave no usable vector');
      failure = null;
      keep(query, vector);
      return vector;
    } catch (error) {
      const delay = Math.min(failure ? failure.delay * 2 : FIRST_DELAY_MS, MAX_DELAY_MS);
      if (!ending.signal.aborted) {
        failure = { message: messageOf(error), retryAt: clock.now() + delay, delay };
        logger.warn({ model: embedder.model, reason: failure.message, delay }, 'a query was not embedded');
      }
      throw error;
    } finally {
      inFlight.delete(query);
    }
  };

  return {
    problem: () => {
      if (failure && clock.now() < failure.retryAt) return failure.message;
      return inFlight.size >= MAX_IN_FLIGHT ? 'it is busy' : null;
    },
    vectorOf: async (text) => {
      const query = text.slice(0, MAX_LENGTH).toWellFormed();
      const known = vectors.get(query);
      if (known) {
        keep(query, known);
        return known;
      }
      const running = inFlight.get(query) ?? embed(query);
      inFlight.set(query, running);
      // Whoever stops waiting leaves no rejection behind.
      running.catch(() => undefined);
      return running;
    },
    close: () => ending.abort(),
  };
}
