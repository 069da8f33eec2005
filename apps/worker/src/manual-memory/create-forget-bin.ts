import { pause, type Clock, type Store, type Logger } from '@claude-mem/core';
import { StorageError } from '@claude-mem/storage';
import type { Eraser } from './create-eraser.js';
import type { Undoing } from './create-undoing.js';

/** Makes final what was forgotten, once the time to undo it is over, and goes on with undoing that was ended half way. */
export interface ForgetBin {
  /** Something is in it that may be due earlier than what was, or was not undone whole. */
  wake(): void;
  /** Until aborted; what is in it then stays, and goes on with the next worker. */
  run(): Promise<void>;
}

const AGAIN_MS = 5_000;
/** Clocks are set, and computers sleep. */
const LOOK_MS = 60_000;
/** To overwrite costs in proportion to the whole memory: what becomes final so soon after one another is overwritten together, */
const TOGETHER_MS = 30_000;
/** but not later than this. */
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

  /** Resolves to how long there is nothing to do; null as long as nothing is in it. */
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
        // first, so that whoever wakes it while it works is heard
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
