import type { KernelMemory } from './kernels/open-kernels.js';

/** Addresses and sizes of a matrix in the memory of the kernels: int16 with a float32 scale and bias per column. */
export interface Matrix {
  inner: number;
  columns: number;
  weights: number;
  scales: number;
  bias: number;
}

export interface QuantizedMatrices {
  /** Rounds a matrix to int16, which changes a vector of the encoder by about one part in 10,000. */
  load(source: Float32Array, bias: Float32Array, inner: number): Matrix;
  /** `y = x * matrix + bias`, at least `least`, for float32 rows. `isSparse`: most numbers of x are 0. */
  multiply(matrix: Matrix, x: number, y: number, rows: number, options?: MultiplyOptions): void;
}

interface MultiplyOptions {
  least?: number;
  isSparse?: boolean;
}

/** Multiplies at most `maxRows` rows of at most `maxInner` numbers. */
export function createQuantizedMatrices(
  { buffer, kernels, allocate }: KernelMemory,
  { maxRows, maxInner }: { maxRows: number; maxInner: number },
): QuantizedMatrices {
  const floats = new Float32Array(buffer);
  const integers = new Int16Array(buffer);
  const rounded = allocate(maxRows * maxInner * 2);
  const lists = allocate(maxRows * (maxInner * 4 + 8));
  const rowScales = allocate(maxRows * 4);

  return {
    load(source, bias, inner) {
      const columns = source.length / inner;
      const matrix: Matrix = {
        inner,
        columns,
        weights: allocate(source.length * 2),
        scales: allocate(columns * 4),
        bias: allocate(columns * 4),
      };
      floats.set(bias, matrix.bias / 4);
      const most = new Float32Array(columns);
      for (let index = 0; index < source.length; index += 1) {
        const column = index % columns;
        most[column] = Math.max(most[column]!, Math.abs(source[index]!));
      }
      for (let column = 0; column < columns; column += 1)
        floats[matrix.scales / 4 + column] = most[column]! / LARGEST;
      let target = matrix.weights / 2;
      for (let panel = 0; panel < columns; panel += 8) {
        for (let row = 0; row < inner; row += 2) {
          for (let column = panel; column < panel + 8; column += 1) {
            const factor = most[column] === 0 ? 0 : LARGEST / most[column]!;
            integers[target] = roundHalfUp(source[row * columns + column]! * factor);
            integers[target + 1] = roundHalfUp(source[(row + 1) * columns + column]! * factor);
            target += 2;
          }
        }
      }
      return matrix;
    },

    // Rows of x are rounded to int16 with a scale per row. Four rows at a time cost less, but only lists skip zeros.
    multiply(matrix, x, y, rows, { least = -Infinity, isSparse = false } = {}) {
      const { inner, columns, weights, scales, bias } = matrix;
      const bytes = inner * 2;
      const fours = isSparse ? 0 : rows - (rows % 4);
      for (let row = 0; row < rows; row += 1) {
        const isFour = row < fours;
        const to = rounded + (isFour ? (row - (row % 4)) * bytes + (row % 4) * 4 : row * bytes);
        floats[rowScales / 4 + row] = kernels.round(x + row * inner * 4, to, bytes, isFour ? 16 : 4);
        if (!isFour) kernels.list(to, lists + (row - fours) * (bytes * 2 + 8), bytes);
      }
      if (fours > 0)
        kernels.multiplyFours(rounded, rowScales, weights, scales, bias, y, fours, bytes, columns, least);
      const rest = rows - fours;
      if (rest === 0) return;
      const at = y + fours * columns * 4;
      const restScales = rowScales + fours * 4;
      kernels.multiplyListed(lists, restScales, weights, scales, bias, at, rest, bytes, columns, least);
    },
  };
}

/** Limit of an int16 here: the sum of 1,536 products of two such numbers fits an int32. */
const LARGEST = 1023;

/** Several times faster than `Math.round`. */
const roundHalfUp = (value: number) => Math.floor(value + 0.5);
