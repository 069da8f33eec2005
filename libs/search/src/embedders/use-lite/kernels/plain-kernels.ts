import type { Kernels } from './open-kernels.js';

/** The kernels without WebAssembly. Eight sums at once, each in a variable of its own, are what makes them bearable. */
export function createPlainKernels(buffer: ArrayBuffer): Kernels {
  const floats = new Float32Array(buffer);
  const whole = new Int16Array(buffer);
  const sums = new Int32Array(8);
  const { fround, imul } = Math;

  return {
    multiply(x, w, y, rows, inner, columns) {
      const length = inner / 4;
      for (let column = 0; column < columns; column += 8) {
        for (let row = 0; row < rows; row += 1) {
          const left = x / 4 + row * length;
          let at = w / 4 + column * length;
          let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
          for (let step = left; step < left + length; step += 1, at += 8) {
            const value = floats[step]!;
            a = fround(a + fround(value * floats[at]!));
            b = fround(b + fround(value * floats[at + 1]!));
            c = fround(c + fround(value * floats[at + 2]!));
            d = fround(d + fround(value * floats[at + 3]!));
            e = fround(e + fround(value * floats[at + 4]!));
            f = fround(f + fround(value * floats[at + 5]!));
            g = fround(g + fround(value * floats[at + 6]!));
            h = fround(h + fround(value * floats[at + 7]!));
          }
          floats.set([a, b, c, d, e, f, g, h], y / 4 + row * columns + column);
        }
      }
    },

    multiplyWhole(x, xScale, w, wScale, bias, y, rows, inner, columns) {
      const length = inner / 2;
      for (let column = 0; column < columns; column += 8) {
        for (let row = 0; row < rows; row += 1) {
          addUp(x / 2 + row * length, w / 2 + column * length, length);
          const out = y / 4 + row * columns + column;
          const rowScale = floats[xScale / 4 + row]!;
          for (let lane = 0; lane < 8; lane += 1) {
            const scale = fround(rowScale * floats[wScale / 4 + column + lane]!);
            floats[out + lane] = fround(fround(sums[lane]!) * scale) + floats[bias / 4 + column + lane]!;
          }
        }
      }
    },
  };

  /** One row times one panel. */
  function addUp(left: number, panel: number, length: number): void {
    let at = panel;
    let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
    for (let step = left; step < left + length; step += 2, at += 16) {
      const first = whole[step]!;
      const second = whole[step + 1]!;
      a = (a + imul(first, whole[at]!) + imul(second, whole[at + 1]!)) | 0;
      b = (b + imul(first, whole[at + 2]!) + imul(second, whole[at + 3]!)) | 0;
      c = (c + imul(first, whole[at + 4]!) + imul(second, whole[at + 5]!)) | 0;
      d = (d + imul(first, whole[at + 6]!) + imul(second, whole[at + 7]!)) | 0;
      e = (e + imul(first, whole[at + 8]!) + imul(second, whole[at + 9]!)) | 0;
      f = (f + imul(first, whole[at + 10]!) + imul(second, whole[at + 11]!)) | 0;
      g = (g + imul(first, whole[at + 12]!) + imul(second, whole[at + 13]!)) | 0;
      h = (h + imul(first, whole[at + 14]!) + imul(second, whole[at + 15]!)) | 0;
    }
    sums.set([a, b, c, d, e, f, g, h]);
  }
}
