import { webAssembly } from '../../../web-assembly.js';
import { KERNEL_BYTES } from './kernel-bytes.js';
import type { Kernels } from './kernels.js';
import { createPlainKernels } from './plain-kernels.js';

export interface KernelMemory {
  buffer: ArrayBuffer;
  kernels: Kernels;
  /** Reserves unused memory and returns its address, a multiple of 16. */
  allocate(bytes: number): number;
  /**
   * Whether the kernels are WebAssembly. The JavaScript kernels return the same numbers, about fifteen times slower.
   */
  isFast: boolean;
}

/**
 * Allocates at least `bytes` of zeroed memory, and returns the kernels for it. Both kinds of kernels round each step
 * to float32 in the same order, so that their vectors are bit-identical.
 */
export function openKernels(bytes: number, { plain = false } = {}): KernelMemory {
  const allocate = createAllocator();
  const code = Buffer.from(KERNEL_BYTES, 'base64');
  // Fails on a processor without SIMD, and in a Node without WebAssembly.
  if (plain || webAssembly?.validate(code) !== true) {
    const buffer = new ArrayBuffer(bytes);
    return { buffer, kernels: createPlainKernels(buffer), allocate, isFast: false };
  }
  const pages = Math.ceil(bytes / 65_536);
  const memory = new webAssembly.Memory({ initial: pages, maximum: pages });
  const instance = new webAssembly.Instance(new webAssembly.Module(code), { env: { memory } });
  const kernels = instance.exports as unknown as Kernels;
  return { buffer: memory.buffer, kernels, allocate, isFast: true };
}

function createAllocator(): KernelMemory['allocate'] {
  let top = 0;
  return (bytes) => {
    const address = top;
    top += Math.ceil(bytes / 16) * 16;
    return address;
  };
}
