import { pause, type Clock, type Store, type Logger } from '@claude-mem/core';
import { StorageError } from '@claude-mem/storage';

/** Milliseconds in which consecutive changes are erased together. */
const SOON_MS = 5_000;

/** Overwrites deleted data. What fails or is aborted is repeated by the periodic tasks. */
export interface Eraser {
  /** Resolves to true when the file contains no deleted data. */
  now(): Promise<boolean>;
  /** Starts soon, in the background. */
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
