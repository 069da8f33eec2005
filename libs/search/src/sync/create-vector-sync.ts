import {
  messageOf,
  noopLogger,
  pause,
  systemClock,
  type Clock,
  type Logger,
  type OutboxEntry,
  type VectorOutbox,
} from '@claude-mem/core';
import type { Embedder } from '../ports/embedder.js';
import type { VectorIndex } from '../ports/vector-index.js';
import { keepUp } from './keep-up.js';

export interface VectorSyncOptions {
  outbox: VectorOutbox;
  embedder: Embedder;
  index: VectorIndex;
  /**
   * Identity of the index with its location. A new identity queues every observation. @default name of the index and
   * of the model
   */
  target?: string;
  /** @default systemClock */
  clock?: Clock;
  /** @default noopLogger */
  logger?: Logger;
}

export interface VectorSyncStatus {
  target: string;
  /** Number of observations whose vectors are outdated. `failed` of them failed before and are retried later. */
  waiting: number;
  failed: number;
  /** Why the synchronization is paused. Null when it is running. */
  problem: string | null;
  /** Number of updated observations and of embedded texts since the start. */
  completed: number;
  embedded: number;
}

export interface VectorSync {
  /**
   * Keeps the index equal to the records until the signal aborts, with pauses for other work. Never rejects: while
   * the embedder or the index is unavailable, it retries with a growing delay.
   */
  run(options: { signal: AbortSignal }): Promise<void>;
  /** Must be called after records changed, because there is no polling. */
  wake(): void;
  /**
   * Works without pauses, also beside `run`, until nothing is due or a part is unavailable. Failed observations are
   * skipped.
   */
  drain(options?: {
    signal?: AbortSignal;
    onProgress?: (progress: { completed: number; waiting: number }) => void;
  }): Promise<VectorSyncStatus>;
  /** Empties the index and queues every observation. */
  rebuild(): Promise<{ waiting: number }>;
  status(): Promise<VectorSyncStatus>;
}

/**
 * Creates the synchronization from the outbox to the vector index. Loads nothing before there is something to embed.
 */
export function createVectorSync(options: VectorSyncOptions): VectorSync {
  const { outbox, embedder, index, clock = systemClock, logger = noopLogger } = options;
  const { target = `${index.name}/${embedder.model}` } = options;
  const isInDatabase = index.name === 'flat';
  let isTargetSet = false;
  let hasOldVectors = true;
  let problem: string | null = null;
  let outages = 0;
  let completed = 0;
  let embedded = 0;
  let lastStep: Promise<unknown> = Promise.resolve();
  let awake = new AbortController();

  return {
    async run({ signal }) {
      while (!signal.aborted) {
        const { signal: woken } = (awake = new AbortController());
        const begun = clock.now();
        const result = await step(signal);
        if (signal.aborted) return;
        if (result === 'more') {
          await pause(clock, Math.min(clock.now() - begun, LONGEST_REST_MS), signal);
        } else if (result === 'away') {
          await pause(clock, Math.min(1_000 * 2 ** (outages - 1), LONGEST_OUTAGE_MS), signal);
        } else {
          await pause(clock, await untilDue(), AbortSignal.any([signal, woken]));
        }
      }
    },

    wake,

    async drain({ signal, onProgress } = {}) {
      let result: StepResult = 'more';
      while (result === 'more') {
        signal?.throwIfAborted();
        result = await step(signal);
        if (onProgress !== undefined) onProgress({ completed, waiting: (await outbox.counts()).waiting });
      }
      signal?.throwIfAborted();
      return status();
    },

    async rebuild() {
      const { waiting } = await alone(async () => {
        await index.clear();
        isTargetSet = false;
        await outbox.useTarget(`${target} (anew)`);
        return outbox.useTarget(target);
      });
      wake();
      return { waiting };
    },

    status,
  };

  function wake(): void {
    awake.abort();
  }

  async function status(): Promise<VectorSyncStatus> {
    const { waiting, failed } = await outbox.counts();
    return { target, waiting, failed, problem, completed, embedded };
  }

  /** Processes one small batch; never two at a time. */
  function step(signal: AbortSignal | undefined): Promise<StepResult> {
    return alone(async () => {
      try {
        const found = await work(signal);
        if (problem !== null) logger.info({ target }, 'The vector index is kept up again.');
        problem = null;
        outages = 0;
        return found ? 'more' : 'nothing due';
      } catch (error) {
        if (signal?.aborted === true) return 'away';
        outages += 1;
        problem = messageOf(error);
        logger.warn({ target, outages, reason: problem }, 'The vector index cannot be kept up for now.');
        return 'away';
      }
    });
  }

  async function work(signal: AbortSignal | undefined): Promise<boolean> {
    // Deleted observations are removed from the database at once. Another index may contain observations that were
    // deleted while it was not synchronized.
    if (!isTargetSet) await outbox.useTarget(target, { withRemoved: !isInDatabase });
    isTargetSet = true;
    const entries = await outbox.next({ limit: BATCH, now: clock.now() });
    if (entries.length === 0) {
      if (hasOldVectors)
        await outbox.removeVectors(isInDatabase ? { otherThanModel: embedder.model } : { all: true });
      hasOldVectors = false;
      return false;
    }
    await handle(entries, signal);
    return true;
  }

  /**
   * When a batch fails although embedder and index answer, it contains a bad record. Then each record is processed
   * alone, and records that fail again are postponed.
   */
  async function handle(entries: readonly OutboxEntry[], signal: AbortSignal | undefined): Promise<void> {
    try {
      embedded += await keepUp({ embedder, index }, entries, { signal });
    } catch (error) {
      await assertPresent(signal);
      if (entries.length === 1) return postpone(entries, error);
      for (const entry of entries) await handle([entry], signal);
      return;
    }
    await outbox.complete(entries.map(({ id }) => id));
    completed += new Set(entries.map(({ observationId }) => observationId)).size;
  }

  async function assertPresent(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    await embedder.embed(['test'], { for: 'document', ...(signal && { signal }) });
    await index.count();
  }

  async function postpone(entries: readonly OutboxEntry[], error: unknown): Promise<void> {
    const attempts = Math.max(...entries.map((entry) => entry.attempts));
    const availableAt = clock.now() + Math.min(60_000 * 2 ** attempts, LONGEST_DELAY_MS);
    const reason = messageOf(error).slice(0, 500);
    await outbox.postpone({ ids: entries.map(({ id }) => id), availableAt, error: reason });
    logger.warn(
      { observationIds: entries.map(({ observationId }) => observationId), reason },
      'An observation could not be embedded and waits.',
    );
  }

  async function untilDue(): Promise<number> {
    const next = await outbox.counts().then(
      ({ nextAvailableAt }) => nextAvailableAt,
      () => clock.now() + LONGEST_OUTAGE_MS,
    );
    return next === null ? FOREVER_MS : Math.min(Math.max(next - clock.now(), 0), FOREVER_MS);
  }

  function alone<Value>(task: () => Promise<Value>): Promise<Value> {
    const result = lastStep.then(task);
    lastStep = result.catch(() => undefined);
    return result;
  }
}

type StepResult = 'more' | 'nothing due' | 'away';

/** Number of observations: at most some hundred texts, one or two seconds of work. */
const BATCH = 16;
const LONGEST_REST_MS = 2_000;
const LONGEST_OUTAGE_MS = 5 * 60_000;
const LONGEST_DELAY_MS = 24 * 60 * 60_000;
/** Maximum delay of a timer in Node. */
const FOREVER_MS = 2 ** 31 - 1;
