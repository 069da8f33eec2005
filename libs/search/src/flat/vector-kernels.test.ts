import { readFileSync } from 'node:fs';
import { randomFrom } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import openWabt from 'wabt';
import { VECTOR_KERNELS_WASM } from './vector-kernels-wasm.js';
import {
  createPlainKernels,
  createSimdKernels,
  QUERY_AT,
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
});
