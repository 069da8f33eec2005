import type { Embedder } from '../ports/embedder.js';
import { SearchError } from '../search-error.js';

export interface HashingEmbedderOptions {
  /** @default 64 */
  dimensions?: number;
  /** @default hashing-{dimensions} */
  model?: string;
}

/**
 * Creates an embedder for tests. Every word adds its own direction, so texts with common words are near. It knows no
 * meaning.
 */
export function createHashingEmbedder(options: HashingEmbedderOptions = {}): Embedder {
  const { dimensions = 64, model = `hashing-${dimensions}` } = options;
  let isClosed = false;
  const close = async () => {
    isClosed = true;
  };

  return {
    model,
    async embed(texts, { signal }) {
      signal?.throwIfAborted();
      if (isClosed) throw new SearchError('search/closed', 'The embedder is closed.');
      return texts.map((text) => hashText(text, dimensions));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function hashText(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  const words = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  for (const word of words) {
    let state = 2_166_136_261;
    for (let index = 0; index < word.length; index += 1) {
      state = Math.imul(state ^ word.charCodeAt(index), 16_777_619);
    }
    for (let index = 0; index < dimensions; index += 1) {
      state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + index;
      vector[index]! += (state >> 16) / 32_768;
    }
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
