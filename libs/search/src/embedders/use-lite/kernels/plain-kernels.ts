import type { Kernels } from './kernels.js';

/** The kernels without WebAssembly. Eight sums in separate variables make them fast enough. */
export function createPlainKernels(buffer: ArrayBuffer): Kernels {
  return { ...createFloatKernels(buffer), ...createIntegerKernels(buffer) };
}

function createFloatKernels(buffer: ArrayBuffer): Pick<Kernels, 'multiply' | 'add' | 'normalize'> {
  const floats = new Float32Array(buffer);
  const { fround } = Math;

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

    add(to, from, length) {
      for (let index = 0; index < length / 4; index += 1)
        floats[to / 4 + index]! += floats[from / 4 + index]!;
    },

    normalize(x, to, width, scale, bias) {
      const length = width / 4;
      const mean = fround(total(floats, x / 4, length, (value) => value) / length);
      const square = (value: number) => {
        const distance = fround(value - mean);
        return fround(distance * distance);
      };
      const spread = fround(total(floats, x / 4, length, square) / length);
      const factor = fround(1 / fround(Math.sqrt(fround(spread + fround(1e-6)))));
      for (let index = 0; index < length; index += 1) {
        const value = fround(fround(floats[x / 4 + index]! - mean) * factor);
        floats[to / 4 + index] = fround(value * floats[scale / 4 + index]!) + floats[bias / 4 + index]!;
      }
    },
  };
}

/** Adds lane by lane, like a SIMD addition of four numbers. */
function total(floats: Float32Array, start: number, length: number, of: (value: number) => number): number {
  const lanes = [0, 0, 0, 0];
  for (let index = 0; index < length; index += 1)
    lanes[index % 4] = Math.fround(lanes[index % 4]! + of(floats[start + index]!));
  const [a, b, c, d] = lanes as [number, number, number, number];
  return Math.fround(Math.fround(a + b) + Math.fround(c + d));
}

function createIntegerKernels(
  buffer: ArrayBuffer,
): Pick<Kernels, 'multiplyFours' | 'multiplyListed' | 'round' | 'list'> {
  const floats = new Float32Array(buffer);
  const integers = new Int16Array(buffer);
  const words = new Int32Array(buffer);
  const sums = new Int32Array(8);
  const { fround, imul } = Math;

  return {
    multiplyFours: multiplyBy((x, row, inner, panel) => {
      const left = x / 2 + (row - (row % 4)) * (inner / 2) + (row % 4) * 2;
      addFours(left, panel, inner / 4);
    }),

    multiplyListed: multiplyBy((x, row, inner, panel) => addListed(x / 4 + row * (inner / 2 + 2), panel)),

    round(x, to, inner, stride) {
      const start = x / 4;
      const end = start + inner / 2;
      let most = 0;
      for (let index = start; index < end; index += 1) most = Math.max(most, Math.abs(floats[index]!));
      const factor = most > 0 ? fround(LARGEST / most) : 0;
      for (let index = start, target = to / 2; index < end; index += 2, target += stride / 2) {
        integers[target] = nearest(fround(floats[index]! * factor));
        integers[target + 1] = nearest(fround(floats[index + 1]! * factor));
      }
      return fround(most / LARGEST);
    },

    list(x, to, inner) {
      let at = to / 4 + 2;
      for (let pair = 0; pair < inner / 4; pair += 1) {
        if (words[x / 4 + pair] === 0) continue;
        words[at] = words[x / 4 + pair]!;
        words[at + 1] = pair * 32;
        at += 2;
      }
      words[to / 4] = at * 4 - to - 8;
    },
  };

  /** `add` writes the sums of one row times one panel. */
  function multiplyBy(
    add: (x: number, row: number, inner: number, panel: number) => void,
  ): Kernels['multiplyFours'] {
    return (x, xScale, w, wScale, bias, y, rows, inner, columns, least) => {
      for (let column = 0; column < columns; column += 8) {
        for (let row = 0; row < rows; row += 1) {
          add(x, row, inner, w / 2 + (column * inner) / 2);
          const to = y / 4 + row * columns + column;
          finish(xScale / 4 + row, wScale / 4 + column, bias / 4 + column, to, least);
        }
      }
    };
  }

  /** One row of a group of four times one panel. */
  function addFours(left: number, panel: number, pairs: number): void {
    let at = panel;
    let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
    for (let step = left; step < left + pairs * 8; step += 8, at += 16) {
      const first = integers[step]!;
      const second = integers[step + 1]!;
      a = (a + imul(first, integers[at]!) + imul(second, integers[at + 1]!)) | 0;
      b = (b + imul(first, integers[at + 2]!) + imul(second, integers[at + 3]!)) | 0;
      c = (c + imul(first, integers[at + 4]!) + imul(second, integers[at + 5]!)) | 0;
      d = (d + imul(first, integers[at + 6]!) + imul(second, integers[at + 7]!)) | 0;
      e = (e + imul(first, integers[at + 8]!) + imul(second, integers[at + 9]!)) | 0;
      f = (f + imul(first, integers[at + 10]!) + imul(second, integers[at + 11]!)) | 0;
      g = (g + imul(first, integers[at + 12]!) + imul(second, integers[at + 13]!)) | 0;
      h = (h + imul(first, integers[at + 14]!) + imul(second, integers[at + 15]!)) | 0;
    }
    sums.set([a, b, c, d, e, f, g, h]);
  }

  /** Multiplies one input row by one panel of weights. */
  function addListed(list: number, panel: number): void {
    sums.fill(0);
    const end = list + 2 + words[list]! / 4;
    for (let step = list + 2; step < end; step += 2) {
      const first = integers[step * 2]!;
      const second = integers[step * 2 + 1]!;
      const at = panel + words[step + 1]! / 2;
      for (let lane = 0; lane < 8; lane += 1)
        sums[lane]! += imul(first, integers[at + lane * 2]!) + imul(second, integers[at + lane * 2 + 1]!);
    }
  }

  function finish(xScale: number, wScale: number, bias: number, y: number, least: number): void {
    const rowScale = floats[xScale]!;
    for (let lane = 0; lane < 8; lane += 1) {
      const scale = fround(rowScale * floats[wScale + lane]!);
      const value = fround(fround(sums[lane]!) * scale) + floats[bias + lane]!;
      floats[y + lane] = value > least ? value : least;
    }
  }
}

const LARGEST = 1023;
/** Rounds to the nearest integer, halves to even. */
const nearest = (value: number) => Math.fround(value + 12_582_912) - 12_582_912;
