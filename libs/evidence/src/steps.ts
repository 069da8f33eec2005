import { yieldToEventLoop } from '@claude-mem/core';
/** Work that can pause at each `yield`. Pauses do not change its result. */
export type Steps<T> = Generator<void, T, void>;

/** Runs all steps without a pause. */
export function runToEnd<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

export interface SliceOptions {
  /** Called after every 8 ms of work. @default one turn of the event loop */
  pause?: (() => Promise<void>) | undefined;
  signal?: AbortSignal | undefined;
}

const SLICE_MS = 8;
/**
 * Runs the steps with pauses, so that long work does not block the process.
 * @throws the reason of the signal when it is aborted, after the next pause
 */
export async function runWithPauses<T>(
  steps: Steps<T>,
  { pause = yieldToEventLoop, signal }: SliceOptions = {},
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
