/** Work that stops between two pieces; only its speed depends on who runs it, never its result. */
export type Steps<T> = Generator<void, T, void>;

/** All at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

export interface SliceOptions {
  /** Lets others have their turn. */
  pause: () => Promise<void>;
  /** How long to work between two pauses. */
  sliceMs: number;
  signal?: AbortSignal | undefined;
}

/** With pauses; an abort is noticed at each of them. */
export async function finishInSlices<T>(
  steps: Steps<T>,
  { pause, sliceMs, signal }: SliceOptions,
): Promise<T> {
  let start = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - start < sliceMs) continue;
    await pause();
    signal?.throwIfAborted();
    start = performance.now();
  }
}
