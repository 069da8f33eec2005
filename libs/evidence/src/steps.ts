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
  /** Called after every few milliseconds of work. @default one round of the event loop */
  pause?: (() => Promise<void>) | undefined;
  signal?: AbortSignal | undefined;
}

const SLICE_MS = 8;
const oneRound = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Runs the steps with pauses, so that long work does not block the process.
 * @throws the reason of the signal when it is aborted, after the next pause
 */
export async function finishInSlices<T>(
  steps: Steps<T>,
  { pause = oneRound, signal }: SliceOptions = {},
): Promise<T> {
  let start = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - start < SLICE_MS) continue;
    await pause();
    signal?.throwIfAborted();
    start = performance.now();
  }
}
