import { readFileSync } from 'node:fs';
import { randomFrom } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import openWabt from 'wabt';
import { VECTOR_KERNELS_WASM } from './vector-kernels-wasm.js';
import {
  createPlainKernels,
  createSimdKernels,
  FARTHEST,
  layPlanes,
  LIST_AT,
  QUERY_AT,
  ROW_AT,
  ROWS_AT,
  SCORES_AT,
  SIGNS_AT,
  SKIP_AT,
  TALLY_AT,
  type VectorKernels,
} from './vector-kernels.js';

describe('vector kernels', () => {
  it('match their source', async () => {
    const source = readFileSync(new URL('vector-kernels.wat', import.meta.url), 'utf8');
    const module = (await openWabt()).parseWat('vector-kernels.wat', source, { simd: true });
    expect(Buffer.from(module.toBinary({}).buffer).toString('base64')).toBe(VECTOR_KERNELS_WASM);
  });

  it('use SIMD on this machine', () => {
    expect(createSimdKernels()?.name).toBe('simd');
  });

  it.each([16, 48, 512, 8192])(
    'return the same scores with and without SIMD for rows of %i numbers',
    (size) => {
      const random = randomFrom(size);
      const query = Int16Array.from({ length: size }, () => Math.round((random() - 0.5) * 2 * 2047));
      const rows = Int8Array.from({ length: 37 * size }, () => Math.round((random() - 0.5) * 2 * 127));
      rows.fill(127, 0, size);
      rows.fill(-127, size, 2 * size);
      const scoresOf = (kernels: VectorKernels) => {
        kernels.reserve(ROWS_AT + rows.length);
        new Int16Array(kernels.buffer, QUERY_AT, size).set(query);
        new Int8Array(kernels.buffer, ROWS_AT, rows.length).set(rows);
        new Uint32Array(kernels.buffer, LIST_AT, 37).forEach(
          (_, row, list) => (list[row] = ROWS_AT + row * size),
        );
        kernels.scoreRows(37, size);
        return [...new Int32Array(kernels.buffer, SCORES_AT, 37)];
      };
      const expected = Array.from({ length: 37 }, (_, row) =>
        query.reduce((sum, value, at) => sum + value * rows[row * size + at]!, 0),
      );
      expect(scoresOf(createPlainKernels())).toEqual(expected);
      expect(scoresOf(createSimdKernels()!)).toEqual(expected);
    },
  );

  it.each([128, 384, 512, 896, 8192])(
    'create equal sketches of rows of %i numbers, count their different bits and score the nearest',
    (size) => {
      const random = randomFrom(size);
      const rows = Array.from({ length: 20 }, () =>
        Int8Array.from({ length: size }, () => Math.round((random() - 0.5) * 2 * 127)),
      );
      rows[1]!.fill(0);
      rows[2] = rows[0]!.map((value) => (value < 0 ? 1 : -1));
      const query = Int16Array.from(rows[0]!, (value, at) => (at === 3 ? 2047 : value * 10));
      const differing = rows.map((row) => row.filter((value, at) => value < 0 !== rows[0]![at]! < 0).length);
      expect(differing[0]).toBe(0);
      expect(differing[2]).toBe(size);
      const step = Math.sqrt(query.reduce((sum, value) => sum + value ** 2, 0) / size) / 2;
      const rounded = Array.from(query, (value) => Math.max(-8, Math.min(7, Math.round(value / step))));
      const summed = rows.map((row) =>
        row.reduce((sum, value, at) => sum - (value < 0 ? rounded[at]! : 0), 0),
      );
      const mask = Uint8Array.from({ length: 20 }, (_, at) => Number(at % 3 !== 0));
      const last = differing.toSorted((left, right) => left - right)[10]!;
      for (const kernels of [createPlainKernels(), createSimdKernels()!]) {
        const owners = ROWS_AT + (rows.length * size) / 8;
        const block = { sketches: ROWS_AT, owners, distances: owners + 80, count: 20, size: size / 8 };
        const maskAt = block.distances + 48;
        kernels.reserve(maskAt + mask.length);
        const sketch = (row: Int8Array, at: number) => {
          new Int8Array(kernels.buffer, ROW_AT, size).set(row);
          kernels.sketchRow(at, size);
        };
        rows.forEach((row, at) => sketch(row, ROWS_AT + (at * size) / 8));
        sketch(rows[0]!, SIGNS_AT);
        layPlanes(kernels.buffer, query, size);
        new Uint32Array(kernels.buffer, owners, 20).forEach(
          (_, at, all) => (all[at] = at === 7 ? 0 : at + 1),
        );
        new Uint8Array(kernels.buffer, maskAt).set(mask);
        const scan = (masked: Parameters<VectorKernels['scanSketches']>[1]) => {
          const tally = new Int32Array(kernels.buffer, TALLY_AT, size + 1).fill(0);
          kernels.scanSketches(block, masked);
          const distances = [...new Uint16Array(kernels.buffer, block.distances, 20)];
          tally.forEach((count, at) => expect(count).toBe(distances.filter((one) => one === at).length));
          return distances;
        };
        expect(scan({ at: maskAt, size: mask.length })).toEqual(
          differing.map((distance, at) => (at !== 7 && mask[at + 1] === 1 ? distance : FARTHEST)),
        );
        const all = differing.map((distance, at) => (at === 7 ? FARTHEST : distance));
        expect(scan(null)).toEqual(all);
        const within = (skip: number) => {
          new Int32Array(kernels.buffer, SKIP_AT, 1)[0] = skip;
          const count = kernels.weighSketches(block, last);
          const found = [...new Uint32Array(kernels.buffer, LIST_AT, count)];
          const scores = [...new Int32Array(kernels.buffer, SCORES_AT, count)];
          expect(scores).toEqual(found.map((at) => summed[at]));
          expect(new Int32Array(kernels.buffer, SKIP_AT, 1)[0]).toBe(0);
          return found;
        };
        const near = all.flatMap((distance, at) => (distance <= last ? [at] : []));
        expect(within(0)).toEqual(near);
        const firstAtLast = all.indexOf(last);
        expect(within(1)).toEqual(near.filter((at) => at !== firstAtLast));
      }
    },
  );
});
