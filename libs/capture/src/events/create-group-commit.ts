import {
  ClaudeMemError,
  messageOf,
  type CapturedEvent,
  type CaptureResult,
  type Clock,
  type Store,
} from '@claude-mem/core';
import { isStorageUnavailable } from './is-storage-unavailable.js';

/** Stores events in groups. */
export interface GroupCommit {
  /** Resolves when the event is committed. Events are stored in the order in which they are submitted. */
  submit(event: CapturedEvent): Promise<CaptureResult>;
  /** Resolves when all submitted events are stored or rejected. */
  settled(): Promise<void>;
  /** Returns a message about the latest event that could not be stored; null after an event was stored again. */
  problem(): string | null;
}

interface Waiting {
  event: CapturedEvent;
  resolve(result: CaptureResult): void;
  reject(error: unknown): void;
}

/** Another process may briefly lock the database. */
const BUSY_TIMEOUT_MS = 10_000;
const RETRY_MS = 100;

/**
 * Stores the events that arrive during one turn of the event loop, or while a commit is running, in one transaction. When a group
 * fails, its events are stored one by one, so that only the invalid event fails. While the database is unavailable, all later events
 * fail too, so that the order is kept. A busy database is retried for ten seconds.
 * @param options.onCommitted called after each transaction, before `submit` resolves
 * @param options.maxGroup maximum events of a transaction. @default 256
 */
export function createGroupCommit({
  store,
  onCommitted,
  clock,
  signal,
  maxGroup = 256,
}: {
  store: Pick<Store, 'capture'>;
  onCommitted(results: readonly CaptureResult[], events: readonly CapturedEvent[]): void;
  clock: Clock;
  signal: AbortSignal;
  maxGroup?: number;
}): GroupCommit {
  let waiting: Waiting[] = [];
  /** The remaining events of a group that failed. */
  let oneByOne: Waiting[] = [];
  let running: Promise<void> | null = null;
  let problem: string | null = null;

  const run = async () => {
    while (waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      const group = waiting.slice(0, maxGroup);
      waiting = waiting.slice(maxGroup);
      await commit(group);
    }
    running = null;
  };

  const commit = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const events = group.map(({ event }) => event);
      const results = await captureUnlessBusy(events);
      problem = null;
      onCommitted(results, events);
      group.forEach(({ resolve }, index) => resolve(results[index] as CaptureResult));
    } catch (error) {
      if (group.length > 1 && !isStorageUnavailable(error)) {
        oneByOne = [...group];
        for (let one = oneByOne.shift(); one; one = oneByOne.shift()) await commit([one]);
        return;
      }
      problem = `Events cannot be stored and wait in the spool: ${messageOf(error)}.`;
      const later = isStorageUnavailable(error) ? [...oneByOne.splice(0), ...waiting.splice(0)] : [];
      for (const { reject } of [...group, ...later]) reject(error);
    }
  };

  const captureUnlessBusy = async (events: readonly CapturedEvent[]) => {
    const deadline = clock.now() + BUSY_TIMEOUT_MS;
    for (;;) {
      try {
        return await store.capture(events);
      } catch (error) {
        const isBusy = ClaudeMemError.isInstance(error) && error.code === 'storage/busy';
        if (!isBusy || clock.now() >= deadline || signal.aborted) throw error;
        await clock.sleep(RETRY_MS, { signal });
      }
    }
  };

  return {
    submit(event) {
      return new Promise((resolve, reject) => {
        waiting.push({ event, resolve, reject });
        running ??= run();
      });
    },
    async settled() {
      while (running !== null) await running;
    },
    problem: () => problem,
  };
}
