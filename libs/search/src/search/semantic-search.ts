import { setImmediate } from 'node:timers/promises';
import { messageOf } from '@claude-mem/core';
import type { Degradation } from '../memory.js';
import type { Embedder } from '../ports/embedder.js';
import type { VectorFilter, VectorHit, VectorIndex } from '../ports/vector-index.js';
import type { Breaker } from './breaker.js';

/** The nearest vectors of a query, best first, and the problems. */
export interface SemanticAnswer {
  /** False when there is no result, because of the problems or because the model knows nothing of the query. */
  isAnswered: boolean;
  hits: readonly VectorHit[];
  degraded: readonly Degradation[];
}

export interface SemanticRequest {
  query: string;
  filter: VectorFilter;
  limit: number;
}

/** The result for a query without content. */
export const NO_MEANING: SemanticAnswer = { isAnswered: false, hits: [], degraded: [] };

/** Runs a semantic search. Never rejects: failures are reported in the result. */
export async function searchByMeaning(
  parts: {
    embedder: Embedder;
    vectorOf: (query: string) => Promise<Float32Array>;
    index: VectorIndex;
    breaker: Breaker;
  },
  request: SemanticRequest,
): Promise<SemanticAnswer> {
  const { embedder, vectorOf, index, breaker } = parts;
  const { query, filter, limit } = request;
  const without = (part: Degradation['part'], reason: string): SemanticAnswer => ({
    isAnswered: false,
    hits: [],
    degraded: [{ part, reason }],
  });
  const problem = breaker.problem();
  if (problem !== null) {
    // Searches in sequence that wait for nothing would block running work, so each one yields to the event loop.
    await setImmediate();
    return without('vectors', `the vector index ${index.name} does not answer: ${problem}`);
  }
  let vector: Float32Array;
  try {
    vector = await vectorOf(query);
  } catch (error) {
    return without('embedder', `${embedder.model} does not answer: ${messageOf(error)}`);
  }
  if (vector.every((value) => value === 0)) return NO_MEANING;
  try {
    const hits = await breaker.run((signal) => index.nearest({ vector, filter, limit, signal }));
    return { isAnswered: true, hits, degraded: [] };
  } catch (error) {
    return without('vectors', `the vector index ${index.name} does not answer: ${messageOf(error)}`);
  }
}
