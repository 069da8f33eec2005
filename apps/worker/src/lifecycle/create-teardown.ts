import type { Logger } from '@claude-mem/core';

export interface Teardown {
  /** Adds a cleanup function. The last one added runs first. */
  add(what: string, undo: () => Promise<void> | void): void;
  run(): Promise<void>;
}

/** Runs all cleanup functions, even when some fail. */
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
