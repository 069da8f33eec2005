import { webAssembly } from '../../../web-assembly.js';
import { KERNEL_BYTES } from './kernel-bytes.js';
import { createPlainKernels } from './plain-kernels.js';

/** Matrix products over one memory. Addresses, and `inner` (the length of a row of x), are in bytes. */
export interface Kernels {
  /** `y = x * w`, all float32. Rows come in fours, columns in eights; w in panels of 8 columns: [columns / 8][inner][8]. */
  multiply(x: number, w: number, y: number, rows: number, inner: number, columns: number): void;
  /**
   * `y = x * w * xScale[row] * wScale[column] + bias[column]`: x and w int16, the rest float32. w lies in panels of 8
   * columns with pairs of rows together: [columns / 8][inner / 2][8][2].
   */
  multiplyWhole(
    x: number,
    xScale: number,
    w: number,
    wScale: number,
    bias: number,
    y: number,
    rows: number,
    inner: number,
    columns: number,
  ): void;
}

export interface KernelMemory {
  buffer: ArrayBuffer;
  kernels: Kernels;
  /** Whether the kernels are WebAssembly; plain ones give the same numbers, some fifteen times slower. */
  isFast: boolean;
}

/**
 * A memory of at least `bytes`, filled with zeros, and the kernels that work on it. Both kinds of kernel round each step
 * to float32 in the same order, so that both give the same vectors to the last bit.
 */
export function openKernels(bytes: number, { plain = false } = {}): KernelMemory {
  const code = Buffer.from(KERNEL_BYTES, 'base64');
  // not on a processor without SIMD, nor in a Node that runs no WebAssembly
  if (plain || webAssembly?.validate(code) !== true) {
    const buffer = new ArrayBuffer(bytes);
    return { buffer, kernels: createPlainKernels(buffer), isFast: false };
  }
  const pages = Math.ceil(bytes / 65_536);
  const memory = new webAssembly.Memory({ initial: pages, maximum: pages });
  const instance = new webAssembly.Instance(new webAssembly.Module(code), { env: { memory } });
  return { buffer: memory.buffer, kernels: instance.exports as unknown as Kernels, isFast: true };
}
