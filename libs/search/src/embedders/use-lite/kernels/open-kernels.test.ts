import { readFileSync } from 'node:fs';
import { randomFrom } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import wabt from 'wabt';
import { KERNEL_BYTES } from './kernel-bytes.js';
import { openKernels } from './open-kernels.js';

it('the bytes are what the source assembles to', async () => {
  const { parseWat } = await wabt();
  const source = readFileSync(new URL('./kernels.wat', import.meta.url), 'utf8');
  const { buffer } = parseWat('kernels.wat', source, { simd: true }).toBinary({});
  expect(KERNEL_BYTES).toBe(Buffer.from(buffer).toString('base64'));
});

it('runs as WebAssembly here, and without it on request', () => {
  expect(openKernels(1024).isFast).toBe(true);
  expect(openKernels(1024, { plain: true }).isFast).toBe(false);
});

it.each([
  [4, 8, 8],
  [12, 24, 16],
  [20, 128, 64],
])('float32: %i rows, inner %i, %i columns', (rows, inner, columns) => {
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
  [4, 2, 8],
  [8, 64, 24],
  [4, 1536, 16],
])('int16: %i rows, inner %i, %i columns, up to the largest sums', (rows, inner, columns) => {
  const random = randomFrom(inner);
  const number = (index: number) =>
    index % 3 === 0 ? Math.round((random() - 0.5) * 2046) : 1023 * (random() < 0.5 && rows === 8 ? -1 : 1);
  const x = fill(rows * inner, number);
  const w = fill(inner * columns, number);
  const rowScale = fill(rows, () => random());
  const columnScale = fill(columns, () => random());
  const bias = fill(columns, () => random() - 0.5);
  const [fast, plain] = [false, true].map((isPlain) => {
    const { buffer, kernels } = openKernels(512 * 1024, { plain: isPlain });
    const whole = new Int16Array(buffer);
    const floats = new Float32Array(buffer);
    whole.set(x, 0);
    for (let row = 0; row < inner; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const panel = (column - (column % 8)) * inner + (row - (row % 2)) * 8 + (column % 8) * 2 + (row % 2);
        whole[32_768 + panel] = w[row * columns + column]!;
      }
    }
    floats.set(rowScale, 65_536);
    floats.set(columnScale, 66_560);
    floats.set(bias, 67_584);
    kernels.multiplyWhole(0, 262_144, 65_536, 266_240, 270_336, 294_912, rows, inner * 2, columns);
    return floats.slice(73_728, 73_728 + rows * columns);
  });
  expect(fast).toEqual(plain);
  fill(rows * columns, (index) => {
    const row = Math.floor(index / columns);
    const column = index % columns;
    let sum = 0;
    for (let step = 0; step < inner; step += 1) sum += x[row * inner + step]! * w[step * columns + column]!;
    const expected = sum * rowScale[row]! * columnScale[column]! + bias[column]!;
    expect(Math.abs(fast![index]! - expected)).toBeLessThan(1e-6 * Math.max(1, Math.abs(expected)));
    return 0;
  });
});

function fill(length: number, value: (index: number) => number): number[] {
  return Array.from({ length }, (_, index) => value(index));
}
