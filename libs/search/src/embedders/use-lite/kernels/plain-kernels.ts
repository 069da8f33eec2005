import type { Kernels } from './open-kernels.js';

/** The kernels without WebAssembly. */
export function createPlainKernels(buffer: ArrayBuffer): Kernels {
  const floats = new Float32Array(buffer);
  const whole = new Int16Array(buffer);
  const sums = new Float32Array(8);
  const wholeSums = new Int32Array(8);

  return {
    multiply(x, w, y, rows, inner, columns) {
      const length = inner / 4;
      for (let column = 0; column < columns; column += 8) {
        for (let row = 0; row < rows; row += 1) {
          const left = x / 4 + row * length;
          let panel = w / 4 + column * length;
          sums.fill(0);
          for (let step = 0; step < length; step += 1, panel += 8) {
            const value = at(floats, left + step);
            for (let lane = 0; lane < 8; lane += 1) {
              sums[lane] = at(sums, lane) + Math.fround(value * at(floats, panel + lane));
            }
          }
          floats.set(sums, y / 4 + row * columns + column);
        }
      }
    },

    multiplyWhole(x, xScale, w, wScale, bias, y, rows, inner, columns) {
      const length = inner / 2;
      for (let column = 0; column < columns; column += 8) {
        for (let row = 0; row < rows; row += 1) {
          const left = x / 2 + row * length;
          let panel = w / 2 + column * length;
          wholeSums.fill(0);
          for (let step = 0; step < length; step += 2, panel += 16) {
            const first = at(whole, left + step);
            const second = at(whole, left + step + 1);
            for (let lane = 0; lane < 8; lane += 1) {
              wholeSums[lane] =
                at(wholeSums, lane) +
                first * at(whole, panel + 2 * lane) +
                second * at(whole, panel + 2 * lane + 1);
            }
          }
          const out = y / 4 + row * columns + column;
          const rowScale = at(floats, xScale / 4 + row);
          for (let lane = 0; lane < 8; lane += 1) {
            const scale = Math.fround(rowScale * at(floats, wScale / 4 + column + lane));
            const product = Math.fround(Math.fround(at(wholeSums, lane)) * scale);
            floats[out + lane] = product + at(floats, bias / 4 + column + lane);
          }
        }
      }
    },
  };
}

const at = (values: Float32Array | Int16Array | Int32Array, index: number) => values[index] as number;
