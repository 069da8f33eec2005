import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Embedder } from '../ports/embedder.js';

/** The conformance suite of `Embedder`. `open` creates an embedder for each test; the suite closes it. */
export function describeEmbedder(name: string, { open }: { open: () => Promise<Embedder> }): void {
  describe(`Embedder: ${name}`, () => {
    let embedder: Embedder;
    beforeEach(async () => {
      embedder = await open();
    });
    afterEach(() => embedder.close());

    const document = { for: 'document' } as const;

    it('names its model', () => {
      expect(embedder.model).toMatch(/\S/);
      expect(embedder.model.length).toBeLessThan(300);
    });

    it('gives no vector for no text', async () => {
      expect(await embedder.embed([], document)).toEqual([]);
    });

    it('gives one vector of length 1 per text, all of one size', async () => {
      const texts = ['one small text', 'another text', 'Fixed a race in worker.ts', 'x'];
      const vectors = await embedder.embed(texts, document);
      expect(vectors).toHaveLength(texts.length);
      const sizes = new Set(vectors.map((vector) => vector.length));
      expect(sizes.size).toBe(1);
      for (const vector of vectors) {
        expect(vector).toBeInstanceOf(Float32Array);
        expect(lengthOf(vector)).toBeCloseTo(1, 4);
      }
      const [query] = await embedder.embed(['a text'], { for: 'query' });
      expect([...sizes]).toEqual([query?.length]);
    });

    it('keeps the order, and a text has one vector whatever it comes with', async () => {
      const texts = Array.from({ length: 40 }, (_, index) => `note ${index} about part ${index * 7}`);
      const together = await embedder.embed(texts, document);
      for (const index of [0, 3, 17, 39]) {
        const [alone] = await embedder.embed([texts[index] as string], document);
        expect(cosine(together[index] as Float32Array, alone as Float32Array)).toBeGreaterThan(0.9999);
      }
      expect(cosine(together[0] as Float32Array, together[39] as Float32Array)).toBeLessThan(0.9999);
    });

    it('gives zeros for a text without anything to embed', async () => {
      const vectors = await embedder.embed(['', 'something', ' \n\t'], document);
      expect(vectors.map((vector) => lengthOf(vector) > 0)).toEqual([false, true, false]);
      expect(new Set(vectors.map((vector) => vector.length)).size).toBe(1);
      for (const vector of await embedder.embed([''], document)) expect(lengthOf(vector)).toBe(0);
    });

    it('takes any text', async () => {
      const texts = [
        '\ud83d',
        'a\u0000b',
        '修复了用户身份验证模块',
        '🎉'.repeat(300),
        'word '.repeat(50_000),
      ];
      for (const vector of await embedder.embed(texts, document)) {
        expect(vector.every(Number.isFinite)).toBe(true);
        expect([0, 1]).toContain(Math.round(lengthOf(vector) * 1_000) / 1_000);
      }
    });

    it('stops with the reason of the signal', async () => {
      const reason = new Error('enough');
      const aborted = AbortSignal.abort(reason);
      await expect(embedder.embed(['text'], { ...document, signal: aborted })).rejects.toBe(reason);
      const stop = new AbortController();
      const texts = Array.from({ length: 200 }, (_, index) => `text ${index}`);
      const embedding = embedder.embed(texts, { ...document, signal: stop.signal });
      stop.abort(reason);
      await embedding.then(
        (vectors) => expect(vectors).toHaveLength(texts.length),
        (error: unknown) => expect(error).toBe(reason),
      );
      expect(await embedder.embed(['afterwards'], document)).toHaveLength(1);
    });

    it('says that it is closed, and closes twice', async () => {
      await embedder.embed(['text'], document);
      await embedder.close();
      await embedder.close();
      await expect(embedder.embed(['text'], document)).rejects.toMatchObject({ code: 'search/closed' });
    });
  });
}

const dot = (left: Float32Array, right: Float32Array) =>
  left.reduce((sum, value, index) => sum + value * (right[index] ?? NaN), 0);
const lengthOf = (vector: Float32Array) => Math.sqrt(dot(vector, vector));
const cosine = (left: Float32Array, right: Float32Array) =>
  dot(left, right) / (lengthOf(left) * lengthOf(right));
