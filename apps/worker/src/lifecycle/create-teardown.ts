import type { Logger } from '@claude-mem/core';

export interface Teardown {
  /** Adds what has to be undone; the last one added is undone first. */
  add(what: string, undo: () => Promise<void> | void): void;
  run(): Promise<void>;
}

/** Undoes everything that was done, whatever fails on the way. */
export function createTeardown({ log }: { log: Logger }): Teardown {
  const steps: { what: string; undo: () => Promise<void> | void }[] = [];
  return {
    add: (what, undo) => void steps.push({ what, undo }),
    async run() {
      for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
        try {
          await step.undo();
        } catch (error) {
          log.error({ step: step.what, error }, 'A step of the shutdown failed');
        }
      }
    },
  };
}
