/** The used part of WebAssembly, whose complete types are only in the DOM types. */
interface WebAssemblyApi {
  validate(bytes: Uint8Array): boolean;
  Memory: new (pages: { initial: number; maximum?: number }) => WebAssemblyMemory;
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports?: object) => { readonly exports: Record<string, unknown> };
}

export interface WebAssemblyMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

export const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;
