import { wholeSlice } from '@claude-mem/core';
import { SearchError } from '../search-error.js';
import { toUnitVector } from './to-unit-vector.js';

export interface BatchLimits {
  /** Texts of one batch. */
  texts: number;
  /** UTF-16 units of one batch. */
  length: number;
  /** UTF-16 units of one text; the rest is cut. */
  textLength: number;
}

/**
 * Embeds by a function that wants no blank texts and no large batches, and whose answers are not trusted: they must have one
 * vector per text, all of one size, of finite numbers. A blank text gets zeros.
 */
export async function embedInBatches(
  texts: readonly string[],
  limits: BatchLimits,
  embed: (batch: readonly string[]) => Promise<readonly unknown[]>,
): Promise<readonly Float32Array[]> {
  const cut = texts.map((text) => wholeSlice(text, 0, limits.textLength).toWellFormed());
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

/** Stands for a blank text, whose vector is thrown away: servers refuse an empty one. */
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
