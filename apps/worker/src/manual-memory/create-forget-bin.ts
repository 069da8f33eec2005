import { pause, type Clock, type Store, type Logger } from '@claude-mem/core';
import { StorageError } from '@claude-mem/storage';
import type { Eraser } from './create-eraser.js';
import type { Undoing } from './create-undoing.js';

/** Makes deletions final when their undo time ends, and continues interrupted undos. */
export interface ForgetBin {
  /** Must be called when a deletion was added, or an undo was interrupted. */
  wake(): void;
  /** Runs until the abort. The next worker continues. */
  run(): Promise<void>;
}

const AGAIN_MS = 5_000;
/** Maximum delay, because clocks change and computers sleep. */
const LOOK_MS = 60_000;
/**
 * Overwriting costs time in proportion to the complete memory, so deletions that become final within this time are
 * overwritten together,
 */
const TOGETHER_MS = 30_000;
/** but at most this much later. */
const LONGEST_MS = 120_000;

export function createForgetBin({
  store,
  undoing,
  eraser,
  clock,
  log,
  signal,
}: {
  store: Pick<Store, 'finishForgetting'>;
  undoing: Pick<Undoing, 'undo'>;
  eraser: Pick<Eraser, 'now'>;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}): ForgetBin {
  let rest = new AbortController();
  let leftSince: number | null = null;

  const eraseUnlessMoreComes = async (nextFinalAtEpoch: number | null) => {
    const now = clock.now();
    if (leftSince === null) return;
    const isMoreComing = nextFinalAtEpoch !== null && nextFinalAtEpoch - now <= TOGETHER_MS;
    if (isMoreComing && now - leftSince < LONGEST_MS) return;
    leftSince = null;
    await eraser.now();
  };

  /** Resolves to the time until the next task. Null when there is none. */
  const finish = async (): Promise<number | null> => {
    const { finished, nextFinalAtEpoch, undoing: begun } = await store.finishForgetting(clock.now());
    if (finished > 0) {
      log.info({ finished }, 'What was forgotten is final');
      leftSince ??= clock.now();
    }
    try {
      for (const id of begun)
        if ((await undoing.undo(id)) !== null) log.info({ id }, 'What was not undone whole is so now');
    } finally {
      await eraseUnlessMoreComes(nextFinalAtEpoch);
    }
    return nextFinalAtEpoch === null ? null : Math.min(Math.max(nextFinalAtEpoch - clock.now(), 1), LOOK_MS);
  };

  const finishOrTryAgain = async (): Promise<number | null> => {
    try {
      return await finish();
    } catch (error) {
      if (!StorageError.isInstance(error)) throw error;
      if (!signal.aborted) log.warn({ error }, 'What was forgotten cannot be made final yet');
      return AGAIN_MS;
    }
  };

  return {
    wake: () => rest.abort(),
    async run() {
      while (!signal.aborted) {
        // First, so that a call during the work is not missed.
        rest = new AbortController();
        const stop = AbortSignal.any([signal, rest.signal]);
        const ms = await finishOrTryAgain();
        await (ms === null ? aborted(stop) : pause(clock, ms, stop));
      }
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
