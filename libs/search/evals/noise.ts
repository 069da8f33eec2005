import { createHash } from 'node:crypto';
import { compareVectorHits } from '../src/compare-vector-hits.js';
import type { Embedder } from '../src/ports/embedder.js';
import type { VectorIndex } from '../src/ports/vector-index.js';

/**
 * Creates an embedder that replaces texts before it embeds them. A text without an entry in `meaningOf` is not
 * replaced. Closing the result does not close `inner`.
 */
export function createRedirectedEmbedder(inner: Embedder, meaningOf: ReadonlyMap<string, string>): Embedder {
  const close = () => Promise.resolve();
  return {
    model: inner.model,
    embed: (texts, options) =>
      inner.embed(
        texts.map((text) => meaningOf.get(normalizeSpaces(text)) ?? text),
        options,
      ),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Collapses spaces, because search may do so before it embeds a query. */
export function normalizeSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * Creates an index that returns random records with random scores. Equal queries get equal results, and filters
 * apply. Closing the result does not close `inner`.
 */
export function createNoiseIndex(inner: VectorIndex): VectorIndex {
  const close = () => Promise.resolve();
  return {
    ...inner,
    name: 'noise',
    async nearest(request) {
      const seed = Buffer.from(request.vector.buffer, request.vector.byteOffset, request.vector.byteLength);
      const found = await inner.nearest({ ...request, vector: directionFrom(seed, request.vector.length) });
      return found.map((hit) => ({ ...hit, score: numberFrom(seed, hit.id) })).sort(compareVectorHits);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function directionFrom(seed: Uint8Array, dimensions: number): Float32Array {
  const values = Float32Array.from(
    { length: dimensions },
    (_, index) => numberFrom(seed, String(index)) - 0.5,
  );
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

/** Returns a number in [0, 1). */
function numberFrom(seed: Uint8Array, name: string): number {
  return createHash('sha256').update(seed).update(name).digest().readUInt32LE(0) / 2 ** 32;
}
