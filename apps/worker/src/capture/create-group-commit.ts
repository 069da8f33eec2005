import type { CapturedEvent, CaptureResult } from '@claude-mem/core';
import { isStorageUnavailable } from './is-storage-unavailable.js';

export interface GroupCommitOptions {
  /** Stores events in one transaction, all or none. */
  commit(events: readonly CapturedEvent[]): Promise<readonly CaptureResult[]>;
  /** The events of a group could not be stored, nor could one of them alone; or none can at the moment. */
  onFailed(error: unknown): void;
  onCommitted(results: readonly CaptureResult[], events: readonly CapturedEvent[]): void;
  /** @default 256 */
  maxGroup?: number;
}

export interface GroupCommit {
  /** Resolves once the event is committed. Order of submission is the order of storing. */
  submit(event: CapturedEvent): Promise<CaptureResult>;
  /** Resolves when nothing submitted before is open any more. */
  settled(): Promise<void>;
}

interface Waiting {
  event: CapturedEvent;
  resolve(result: CaptureResult): void;
  reject(error: unknown): void;
}

/**
 * Gathers the events that come in during one turn of the event loop, or while a commit is running, into one transaction.
 * When a group fails, its events are stored one by one, so that only the one at fault fails. While nothing can be stored, all
 * later events fail too, so that the order is kept.
 */
export function createGroupCommit({
  commit,
  onCommitted,
  onFailed,
  maxGroup = 256,
}: GroupCommitOptions): GroupCommit {
  let waiting: Waiting[] = [];
  /** The rest of a group that failed. */
  let oneByOne: Waiting[] = [];
  let running: Promise<void> | null = null;

  const run = async () => {
    while (waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      const group = waiting.slice(0, maxGroup);
      waiting = waiting.slice(maxGroup);
      await store(group);
    }
    running = null;
  };

  const store = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const events = group.map(({ event }) => event);
      const results = await commit(events);
      onCommitted(results, events);
      group.forEach(({ resolve }, index) => resolve(results[index] as CaptureResult));
    } catch (error) {
      if (group.length > 1 && !isStorageUnavailable(error)) {
        oneByOne = [...group];
        for (let one = oneByOne.shift(); one; one = oneByOne.shift()) await store([one]);
        return;
      }
      onFailed(error);
      const later = isStorageUnavailable(error) ? [...oneByOne.splice(0), ...waiting.splice(0)] : [];
      for (const { reject } of [...group, ...later]) reject(error);
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
  };
}
