import { readFileSync } from 'node:fs';
import { randomFrom } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import wabt from 'wabt';
import { KERNEL_BYTES } from './kernel-bytes.js';
import { openKernels } from './open-kernels.js';

it('the embedded WebAssembly bytes match their source', async () => {
  const { parseWat } = await wabt();
  const source = readFileSync(new URL('./kernels.wat', import.meta.url), 'utf8');
  const { buffer } = parseWat('kernels.wat', source, { simd: true }).toBinary({});
  expect(KERNEL_BYTES).toBe(Buffer.from(buffer).toString('base64'));
});

it('uses WebAssembly by default and plain JavaScript on request', () => {
  expect(openKernels(1024).isFast).toBe(true);
  expect(openKernels(1024, { plain: true }).isFast).toBe(false);
});

it.each([
  [4, 8, 8],
  [12, 24, 16],
  [20, 128, 64],
])('multiplies float32 matrices: %i rows, inner %i, %i columns', (rows, inner, columns) => {
  const random = randomFrom(rows);
  const x = fill(rows * inner, () => random() - 0.5);
  const w = fill(inner * columns, () => random() - 0.5);
  const [fast, plain] = [false, true].map((isPlain) => {
    const { buffer, kernels } = openKernels(256 * 1024, { plain: isPlain });
    const floats = new Float32Array(buffer);
    floats.set(x, 0);
    for (let row = 0; row < inner; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const panel = (column - (column % 8)) * inner + row * 8 + (column % 8);
        floats[16_384 + panel] = w[row * columns + column]!;
      }
    }
    kernels.multiply(0, 65_536, 131_072, rows, inner * 4, columns);
    return floats.slice(32_768, 32_768 + rows * columns);
  });
  expect(fast).toEqual(plain);
  const expected = fill(rows * columns, (index) => {
    const row = Math.floor(index / columns);
    let sum = 0;
    for (let step = 0; step < inner; step += 1) {
      sum += x[row * inner + step]! * w[step * columns + (index % columns)]!;
    }
    return sum;
  });
  expected.forEach((value, index) => expect(fast?.[index]).toBeCloseTo(value, 5));
});

it.each([
  ['multiplyFours', 4, 4, 8],
  ['multiplyFours', 8, 64, 24],
  ['multiplyFours', 4, 1536, 16],
  ['multiplyListed', 1, 4, 8],
  ['multiplyListed', 3, 64, 24],
  ['multiplyListed', 2, 1536, 16],
] as const)(
  'multiplies int16 matrices with %s: %i rows, inner %i, %i columns, including the largest sums',
  (name, rows, inner, columns) => {
    const isListed = name === 'multiplyListed';
    const random = randomFrom(inner);
    const number = (index: number) =>
      index % 3 === 0 ? Math.round((random() - 0.5) * 2046) : 1023 * (random() < 0.5 && rows === 8 ? -1 : 1);
    const x = fill(rows * inner, number);
    // A row of zeros at the end, and pairs of zeros: none of these is listed.
    if (isListed) x.fill(0, 2, 4).fill(0, (rows - 1) * inner + (rows === 1 ? 2 : 0));
    const w = fill(inner * columns, number);
    const rowScale = fill(rows, () => random());
    const columnScale = fill(columns, () => random());
    const bias = fill(columns, () => random() - 0.5);
    const least = -1_000;
    const [fast, plain] = [false, true].map((isPlain) => {
      const { buffer, kernels } = openKernels(512 * 1024, { plain: isPlain });
      const integers = new Int16Array(buffer);
      const floats = new Float32Array(buffer);
      for (let row = 0; row < rows; row += 1) {
        const values = x.slice(row * inner, (row + 1) * inner);
        if (isListed) {
          integers.set(values, 24_576);
          kernels.list(49_152, row * (inner * 4 + 8), inner * 2);
        } else {
          values.forEach((value, index) => {
            const place = (row - (row % 4)) * inner + (index - (index % 2)) * 4 + (row % 4) * 2 + (index % 2);
            integers[place] = value;
          });
        }
      }
      for (let row = 0; row < inner; row += 1) {
        for (let column = 0; column < columns; column += 1) {
          const panel =
            (column - (column % 8)) * inner + (row - (row % 2)) * 8 + (column % 8) * 2 + (row % 2);
          integers[32_768 + panel] = w[row * columns + column]!;
        }
      }
      floats.set(rowScale, 65_536);
      floats.set(columnScale, 66_560);
      floats.set(bias, 67_584);
      kernels[name](0, 262_144, 65_536, 266_240, 270_336, 294_912, rows, inner * 2, columns, least);
      return floats.slice(73_728, 73_728 + rows * columns);
    });
    expect(fast).toEqual(plain);
    fill(rows * columns, (index) => {
      const row = Math.floor(index / columns);
      const column = index % columns;
      let sum = 0;
      for (let step = 0; step < inner; step += 1) sum += x[row * inner + step]! * w[step * columns + column]!;
      const expected = Math.max(least, sum * rowScale[row]! * columnScale[column]! + bias[column]!);
      expect(Math.abs(fast![index]! - expected)).toBeLessThan(1e-6 * Math.max(1, Math.abs(expected)));
      return 0;
    });
  },
);

it('rounds a row to 1,023 steps of its largest value, with ties to even', () => {
  const row = [1, -0.25, 0.5 / 1023, 1.5 / 1023, -2.5 / 1023, 0.3, 0, -1];
  for (const plain of [false, true]) {
    const { buffer, kernels } = openKernels(1024, { plain });
    new Float32Array(buffer).set(row);
    expect(kernels.round(0, 64, 16, 4)).toBeCloseTo(1 / 1023, 9);
    expect([...new Int16Array(buffer, 64, 8)]).toEqual([1023, -256, 0, 2, -2, 307, 0, -1023]);
    kernels.round(0, 128, 16, 16);
    expect([...new Int16Array(buffer, 144, 2)]).toEqual([0, 2]);
    expect(kernels.round(256, 64, 16, 4)).toBe(0);
    expect([...new Int16Array(buffer, 64, 8)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  }
});

it('adds two rows and normalizes the sum to mean 0 and standard deviation 1', () => {
  const random = randomFrom(7);
  const values = fill(64, () => random() * 3 - 1);
  const [fast, plain] = [false, true].map((isPlain) => {
    const { buffer, kernels } = openKernels(2048, { plain: isPlain });
    const floats = new Float32Array(buffer);
    floats.set(values);
    floats.fill(2, 64, 128).fill(0.5, 128, 192);
    kernels.add(0, 256, 256);
    kernels.normalize(0, 768, 256, 256, 512);
    return floats.slice(0, 256);
  });
  expect(fast).toEqual(plain);
  const sums = values.map((value) => value + 2);
  const mean = sums.reduce((sum, value) => sum + value, 0) / 64;
  const spread = Math.sqrt(sums.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 64);
  sums.forEach((value, index) => {
    expect(fast![index]).toBeCloseTo(value, 5);
    expect(fast![192 + index]).toBeCloseTo((2 * (value - mean)) / spread + 0.5, 4);
  });
});

function fill(length: number, value: (index: number) => number): number[] {
  return Array.from({ length }, (_, index) => value(index));
}
