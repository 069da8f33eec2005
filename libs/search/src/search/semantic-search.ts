import { setImmediate } from 'node:timers/promises';
import { messageOf } from '@claude-mem/core';
import type { Degradation } from '../memory.js';
import type { Embedder } from '../ports/embedder.js';
import type { VectorFilter, VectorHit, VectorIndex } from '../ports/vector-index.js';
import type { Breaker } from './breaker.js';

/** Vectors nearest to a query, best first, and what stood in the way. */
export interface SemanticAnswer {
  /** False: there is no answer, for the reasons below, or because the query has no meaning that is known. */
  isAnswered: boolean;
  hits: readonly VectorHit[];
  degraded: readonly Degradation[];
}

export interface SemanticRequest {
  query: string;
  filter: VectorFilter;
  limit: number;
}

/** Of a query that says nothing, to the model or at all. */
export const NO_MEANING: SemanticAnswer = { isAnswered: false, hits: [], degraded: [] };

/** Finds by meaning. Never rejects: what fails is said in the answer. */
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
    // searches one after the other, none of which waits for anything, would else keep what is running from going on
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
