import type { KernelMemory } from './kernels/open-kernels.js';

/**
 * Reads rows of queries, keys and values, each `width` numbers, at `from`, and writes rows of `width` numbers at `to`.
 * Rows after the first `tokens` are padding.
 */
export type Attention = (
  from: number,
  to: number,
  size: { tokens: number; rows: number; width: number },
) => void;

/** Computes head by head, with the matrix products of the kernels. */
export function createAttention(
  { buffer, kernels, allocate }: KernelMemory,
  { maxTokens, maxWidth }: { maxTokens: number; maxWidth: number },
): Attention {
  const floats = new Float32Array(buffer);
  const allocateHead = () => allocate((maxTokens * maxWidth * 4) / HEADS);
  const queries = allocateHead();
  const keys = allocateHead();
  const values = allocateHead();
  const sums = allocateHead();
  const shares = allocate(maxTokens * maxTokens * 4);

  return (from, to, { tokens, rows, width }) => {
    const size = width / HEADS;
    const columns = Math.ceil(tokens / 8) * 8;
    const fours = Math.ceil(rows / 4) * 4;
    for (let offset = 0; offset < width; offset += size) {
      gatherHead(from + offset * 4, rows, columns, width);
      kernels.multiply(queries, keys, shares, fours, size * 4, columns);
      for (let row = 0; row < rows; row += 1) softmax(floats, shares / 4 + row * columns, tokens, columns);
      kernels.multiply(shares, values, sums, fours, columns * 4, size);
      for (let row = 0; row < rows; row += 1) {
        const start = sums / 4 + row * size;
        floats.copyWithin(to / 4 + row * width + offset, start, start + size);
      }
    }
  };

  /**
   * Queries in rows, scaled; keys in panels of 8 tokens, values in panels of 8 dimensions. The padding of the last
   * panel has weight 0.
   */
  function gatherHead(from: number, rows: number, columns: number, width: number): void {
    const size = width / HEADS;
    const scale = 1 / Math.sqrt(size);
    for (let row = 0; row < rows; row += 1) {
      const source = from / 4 + row * 3 * width;
      for (let index = 0; index < size; index += 1)
        floats[queries / 4 + row * size + index] = floats[source + index]! * scale;
    }
    for (let token = 0; token < columns; token += 1) {
      const source = from / 4 + token * 3 * width;
      const key = keys / 4 + (token - (token % 8)) * size + (token % 8);
      for (let index = 0; index < size; index += 1) {
        floats[key + index * 8] = floats[source + width + index]!;
        floats[values / 4 + (index - (index % 8)) * columns + token * 8 + (index % 8)] =
          floats[source + 2 * width + index]!;
      }
    }
  }
}

const HEADS = 4;

function softmax(floats: Float32Array, start: number, tokens: number, columns: number): void {
  let most = -Infinity;
  for (let index = 0; index < tokens; index += 1) most = Math.max(most, floats[start + index]!);
  let sum = 0;
  for (let index = 0; index < tokens; index += 1) {
    const share = Math.exp(floats[start + index]! - most);
    floats[start + index] = share;
    sum += share;
  }
  for (let index = 0; index < tokens; index += 1) floats[start + index]! /= sum;
  floats.fill(0, start + tokens, start + columns);
}
