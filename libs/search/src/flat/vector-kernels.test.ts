import { readFileSync } from 'node:fs';
import { randomFrom } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import openWabt from 'wabt';
import { VECTOR_KERNELS_WASM } from './vector-kernels-wasm.js';
import {
  createPlainKernels,
  createSimdKernels,
  QUERY_AT,
  ROW_AT,
  ROWS_AT,
  SCORES_AT,
  type VectorKernels,
} from './vector-kernels.js';

describe('vector kernels', () => {
  it('are what their source gives', async () => {
    const source = readFileSync(new URL('vector-kernels.wat', import.meta.url), 'utf8');
    const module = (await openWabt()).parseWat('vector-kernels.wat', source, { simd: true });
    expect(Buffer.from(module.toBinary({}).buffer).toString('base64')).toBe(VECTOR_KERNELS_WASM);
  });

  it('run with SIMD on this machine', () => {
    expect(createSimdKernels()?.name).toBe('simd');
  });

  it.each([16, 48, 512, 8192])('give the same with and without SIMD for rows of %i numbers', (size) => {
    const random = randomFrom(size);
    const query = Int16Array.from({ length: size }, () => Math.round((random() - 0.5) * 2 * 2047));
    const rows = Int8Array.from({ length: 37 * size }, () => Math.round((random() - 0.5) * 2 * 127));
    rows.fill(127, 0, size);
    rows.fill(-127, size, 2 * size);
    const scoresOf = (kernels: VectorKernels) => {
      kernels.reserve(ROWS_AT + rows.length);
      new Int16Array(kernels.buffer, QUERY_AT, size).set(query);
      new Int8Array(kernels.buffer, ROWS_AT, rows.length).set(rows);
      kernels.scanRows(ROWS_AT, 37, size);
      return [...new Int32Array(kernels.buffer, SCORES_AT, 37)];
    };
    const expected = Array.from({ length: 37 }, (_, row) =>
      query.reduce((sum, value, at) => sum + value * rows[row * size + at]!, 0),
    );
    expect(scoresOf(createPlainKernels())).toEqual(expected);
    expect(scoresOf(createSimdKernels()!)).toEqual(expected);
  });

  it.each([128, 384, 512, 896, 8192])(
    'sketch rows of %i numbers alike, and count the bits that differ',
    (size) => {
      const random = randomFrom(size);
      const rows = Array.from({ length: 20 }, () =>
        Int8Array.from({ length: size }, () => Math.round((random() - 0.5) * 2 * 127)),
      );
      rows[1]!.fill(0);
      rows[2] = rows[0]!.map((value) => (value < 0 ? 1 : -1));
      const distancesOf = (kernels: VectorKernels) => {
        const distancesAt = ROWS_AT + (rows.length * size) / 8;
        kernels.reserve(distancesAt + rows.length * 2);
        const sketch = (row: Int8Array, at: number) => {
          new Int8Array(kernels.buffer, ROW_AT, size).set(row);
          kernels.sketchRow(at, size);
        };
        rows.forEach((row, at) => sketch(row, ROWS_AT + (at * size) / 8));
        sketch(rows[0]!, QUERY_AT);
        kernels.scanSketches(ROWS_AT, distancesAt, rows.length, size / 8);
        const distances = [...new Uint16Array(kernels.buffer, distancesAt, rows.length)];
        const tally = new Int32Array(kernels.buffer, SCORES_AT, size + 1);
        for (const distance of distances)
          expect(tally[distance]).toBe(distances.filter((other) => other === distance).length);
        return distances;
      };
      const expected = rows.map((row) => row.filter((value, at) => value < 0 !== rows[0]![at]! < 0).length);
      expect(expected[0]).toBe(0);
      expect(expected[2]).toBe(size);
      expect(distancesOf(createPlainKernels())).toEqual(expected);
      expect(distancesOf(createSimdKernels()!)).toEqual(expected);
    },
  );
});
