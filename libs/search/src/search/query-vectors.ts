import { sliceCharacters } from '@claude-mem/core';
import type { Embedder } from '../ports/embedder.js';
import { SearchError } from '../search-error.js';
import type { Breaker } from './breaker.js';

const CACHED_QUERIES = 256;
/** Number of UTF-16 code units of a query that are embedded. Models read less. */
const MAX_LENGTH = 2_000;

/**
 * A cache of query vectors. A vector that arrives after its search ended is stored too, so that the same query finds
 * it the next time.
 */
export function createQueryVectors(
  embedder: Embedder,
  breaker: Breaker,
): (query: string) => Promise<Float32Array> {
  const vectors = new Map<string, Float32Array>();
  const inFlight = new Map<string, Promise<Float32Array>>();

  const keep = (query: string, vector: Float32Array): void => {
    vectors.delete(query);
    vectors.set(query, vector);
    const oldest = vectors.size > CACHED_QUERIES ? vectors.keys().next().value : undefined;
    if (oldest !== undefined) vectors.delete(oldest);
  };

  const embed = async (query: string): Promise<Float32Array> => {
    try {
      const vector = await breaker.run(async (signal) => {
        const [first] = await embedder.embed([query], { for: 'query', signal });
        if (!first?.every(Number.isFinite))
          throw new SearchError('search/embedder-unavailable', `${embedder.model} gave no usable vector`);
        return first;
      });
      keep(query, vector);
      return vector;
    } finally {
      inFlight.delete(query);
    }
  };

  return async (text) => {
    const query = sliceCharacters(text, 0, MAX_LENGTH);
    const known = vectors.get(query);
    if (known) {
      keep(query, known);
      return known;
    }
    const running = inFlight.get(query);
    if (running) return running;
    const problem = breaker.problem();
    if (problem !== null) throw new SearchError('search/embedder-unavailable', problem);
    const begun = embed(query);
    inFlight.set(query, begun);
    return begun;
  };
}
