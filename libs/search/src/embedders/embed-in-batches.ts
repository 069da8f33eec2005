import { sliceCharacters } from '@claude-mem/core';
import { SearchError } from '../search-error.js';
import { toUnitVector } from './to-unit-vector.js';

export interface BatchLimits {
  /** Maximum number of texts per batch. */
  texts: number;
  /** Maximum number of UTF-16 code units per batch. */
  length: number;
  /** Maximum number of UTF-16 code units per text. Longer texts are cut. */
  textLength: number;
}

/**
 * Embeds texts in batches with a function that accepts no blank texts and no large batches. Its result is validated:
 * one vector per text, all of the same size, with finite numbers. Blank texts get zero vectors.
 */
export async function embedInBatches(
  texts: readonly string[],
  limits: BatchLimits,
  embed: (batch: readonly string[]) => Promise<readonly unknown[]>,
): Promise<readonly Float32Array[]> {
  const cut = texts.map((text) => sliceCharacters(text, 0, limits.textLength).toWellFormed());
  const vectors: Float32Array[] = [];
  for (const batch of batchesOf(cut, limits)) {
    const numbers = await embed(batch.map((text) => (isBlank(text) ? PLACEHOLDER : text)));
    if (numbers.length !== batch.length) {
      throw unusable(`${numbers.length} vectors for ${batch.length} texts`);
    }
    for (const some of numbers) {
      const vector = toUnitVector(some);
      if (vector === null) throw unusable('something that is no vector');
      const size = vectors[0]?.length ?? vector.length;
      if (vector.length !== size) throw unusable(`vectors of ${size} and of ${vector.length} numbers`);
      vectors.push(vector);
    }
  }
  return vectors.map((vector, index) => (isBlank(cut[index] as string) ? vector.fill(0) : vector));
}

/** Replaces a blank text, because servers refuse empty ones. Its vector is dropped. */
const PLACEHOLDER = 'blank';

const isBlank = (text: string) => text.trim() === '';

function* batchesOf(texts: readonly string[], limits: BatchLimits): Generator<readonly string[]> {
  let batch: string[] = [];
  let length = 0;
  for (const text of texts) {
    if (batch.length === limits.texts || (batch.length > 0 && length + text.length > limits.length)) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(text);
    length += text.length;
  }
  if (batch.length > 0) yield batch;
}

const unusable = (what: string) =>
  new SearchError('search/embedder-unavailable', `The embedder answered with ${what}.`);
