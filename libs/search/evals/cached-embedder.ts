import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Embedder } from '../src/ports/embedder.js';

const KEY_BYTES = 32;

/**
 * Caches the vectors of an embedder in a file, so that only the first run computes them. Closing the result also
 * closes `inner`.
 */
export function createCachedEmbedder(
  inner: Embedder,
  { folder, dimensions }: { folder: string; dimensions: number },
): Embedder {
  const file = join(folder, `${inner.model.replace(/[^\w.-]/g, '_')}.vectors`);
  mkdirSync(dirname(file), { recursive: true });
  const known = readVectors(file, dimensions);
  const close = () => inner.close();
  return {
    model: inner.model,
    async embed(texts, options) {
      const keys = texts.map((text) => keyOf(options.for, text));
      const missing = keys.flatMap((key, index) => (known.has(key) ? [] : [index]));
      if (missing.length > 0) {
        const vectors = await inner.embed(
          missing.map((index) => texts[index] ?? ''),
          options,
        );
        const rows = vectors.flatMap((vector, at) => {
          const key = keys[missing[at] ?? 0] ?? '';
          known.set(key, vector);
          return [Buffer.from(key, 'hex'), Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)];
        });
        appendFileSync(file, Buffer.concat(rows));
      }
      return keys.map((key) => known.get(key) ?? new Float32Array(dimensions));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function keyOf(use: 'query' | 'document', text: string): string {
  return createHash('sha256').update(`${use}\n${text}`).digest('hex');
}

/**
 * An interrupted run can leave an incomplete last row. The row is removed, so that the next row starts at a row
 * boundary.
 */
function readVectors(file: string, dimensions: number): Map<string, Float32Array> {
  const known = new Map<string, Float32Array>();
  if (!existsSync(file)) return known;
  const bytes = readFileSync(file);
  const rowBytes = KEY_BYTES + dimensions * 4;
  const cutOff = bytes.length % rowBytes;
  if (cutOff > 0) truncateSync(file, bytes.length - cutOff);
  for (let at = 0; at + rowBytes <= bytes.length; at += rowBytes) {
    const values = bytes.buffer.slice(
      bytes.byteOffset + at + KEY_BYTES,
      bytes.byteOffset + at + rowBytes,
    ) as ArrayBuffer;
    known.set(bytes.toString('hex', at, at + KEY_BYTES), new Float32Array(values));
  }
  return known;
}
