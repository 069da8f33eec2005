import type { FixedClock } from '@claude-mem/core/testing';
import { peekDatabase } from '@claude-mem/testing';

export interface ClockStepper extends Disposable {
  /**
   * Advances the clock in steps. After each step, waits in real time until no message is being processed.
   * @param options.stepMs length of a step in milliseconds. @default 1,000
   */
  pass(ms: number, options?: { stepMs?: number }): Promise<void>;
}

const IS_PROCESSING = `SELECT EXISTS (SELECT 1 FROM pending_messages WHERE status = 'processing')`;
/** The worker claims the next message within this many turns of the event loop after a timer or a finished batch. */
const TURNS_UNTIL_CLAIMED = 20;

/** @param options.database the file of a worker that is ready */
export function createClockStepper({
  clock,
  database,
}: {
  clock: FixedClock;
  database: string;
}): ClockStepper {
  // HTTP requests to the worker in every step would take most of the test time.
  const peek = peekDatabase({ file: database });
  const isProcessing = async () => {
    for (let turn = 0; turn < TURNS_UNTIL_CLAIMED; turn += 1) {
      if (peek.value(IS_PROCESSING) === 1) return true;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return false;
  };
  return {
    async pass(ms, { stepMs = 1_000 } = {}) {
      for (let passed = 0; passed < ms; passed += stepMs) {
        await clock.advance(Math.min(stepMs, ms - passed));
        while (await isProcessing()) await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
    [Symbol.dispose]: () => peek[Symbol.dispose](),
  };
}
