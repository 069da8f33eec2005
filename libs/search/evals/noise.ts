import { createHash } from 'node:crypto';
import { compareVectorHits } from '../src/compare-vector-hits.js';
import type { Embedder } from '../src/ports/embedder.js';
import type { VectorIndex } from '../src/ports/vector-index.js';

/**
 * Embeds another text than it is asked for: what `meaningOf` gives for it, or the text itself. The inner embedder stays
 * open.
 */
export function createRedirectedEmbedder(inner: Embedder, meaningOf: ReadonlyMap<string, string>): Embedder {
  const close = () => Promise.resolve();
  return {
    model: inner.model,
    embed: (texts, options) =>
      inner.embed(
        texts.map((text) => meaningOf.get(redirectionKey(text)) ?? text),
        options,
      ),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Search may squeeze the blanks of a query before it is embedded. */
export function redirectionKey(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Finds records by chance, the same for the same query, with scores that say nothing. Filters hold. The inner index stays open. */
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

/** 0 to 1. */
function numberFrom(seed: Uint8Array, name: string): number {
  return createHash('sha256').update(seed).update(name).digest().readUInt32LE(0) / 2 ** 32;
}
