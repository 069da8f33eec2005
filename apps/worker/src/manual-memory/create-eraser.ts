import { pause, type Clock, type Store, type Logger } from '@claude-mem/core';
import { StorageError } from '@claude-mem/storage';

/** So many changes of a person in a row are one work. */
const SOON_MS = 5_000;

/** Overwrites what was taken away. What it cannot do, or an abort keeps it from, the upkeep tries again. */
export interface Eraser {
  /** Resolves to whether nothing is left in the file. */
  now(): Promise<boolean>;
  /** In a moment, and nobody waits for it. */
  soon(): void;
}

export function createEraser({
  store,
  clock,
  log,
  signal,
}: {
  store: Pick<Store, 'eraseForgotten'>;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}): Eraser {
  let isDue = false;

  const now = async (): Promise<boolean> => {
    try {
      return await store.eraseForgotten();
    } catch (error) {
      if (!StorageError.isInstance(error) || error.code !== 'storage/closed')
        log.warn({ error }, 'What was forgotten could not be overwritten; it is tried again');
      return false;
    }
  };

  return {
    now,
    soon() {
      if (isDue) return;
      isDue = true;
      void pause(clock, SOON_MS, signal).then(() => {
        isDue = false;
        return signal.aborted ? false : now();
      });
    },
  };
}
