import type { WaitingTurn } from '@claude-mem/core';
import { flushTime } from './flush-time.js';
import type { HandleBatch, HeldBatch } from './queue.js';
import { endBatch, takeBatch, type QueueParts } from './take-batch.js';
import { sleepIgnoringWakes } from './waker.js';

/**
 * Processes all sessions until the signal is aborted, as documented at `Queue.run`.
 * @param parts.notificationCount returns the number of `notify` calls
 */
export async function runSessions(
  parts: QueueParts & { notificationCount: () => number },
  handle: HandleBatch,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  const { clock, logger, settings, waker, leases, queuePause, sessionPauses } = parts;
  /**
   * A session is added before the first await and remains until its batch is settled, so that the limit is never
   * exceeded.
   */
  const running = new Map<number, Promise<void>>();
  /** Times before which a session is not claimed again, because it had no messages or could not be claimed. */
  const notBefore = new Map<number, number>();
  let due: WaitingTurn[] = [];
  let nextDueAt = Infinity;
  let nextRecoveryAt = -Infinity;
  let hasChanged = true;
  let seenCount = -1;
  let failures = 0;

  const recover = async () => {
    if (clock.now() < nextRecoveryAt) return;
    const found = await leases.recover();
    nextRecoveryAt = clock.now() + settings.leaseMs;
    if (found === 0) return;
    hasChanged = true;
    logger.warn({ found }, 'Messages with an expired claim were returned to the queue.');
  };

  const findDueTurns = async () => {
    const needsRefresh = due.length === 0 && (hasChanged || nextDueAt <= clock.now());
    if (!needsRefresh && seenCount === parts.notificationCount()) return;
    seenCount = parts.notificationCount();
    hasChanged = false;
    const turns = await parts.messages.waitingTurns({ maxTurns: settings.maxTurns() });
    const now = clock.now();
    due = [];
    nextDueAt = Infinity;
    for (const [sessionId, at] of notBefore) if (at <= now) notBefore.delete(sessionId);
    for (const turn of turns) {
      const { sessionId, promptNumber } = turn;
      if (running.has(sessionId)) continue;
      const flushAt = flushTime(turn, settings, parts.history.getTurn(sessionId, promptNumber));
      const at = Math.max(flushAt, notBefore.get(sessionId) ?? -Infinity, sessionPauses.until(sessionId));
      if (at <= now) due.push(turn);
      else nextDueAt = Math.min(nextDueAt, at);
    }
  };

  const hasCapacity = () =>
    !signal.aborted &&
    queuePause.until <= clock.now() &&
    running.size < (queuePause.isProbing ? 1 : settings.concurrency);

  const processSession = async (sessionId: number) => {
    let batch: HeldBatch | null = null;
    try {
      batch = await takeBatch(parts, { sessionId, signal });
    } catch (error) {
      logger.error({ error, sessionId }, 'Cannot claim the messages of a session. The queue retries later.');
    }
    if (batch) await handleBatch(parts, batch, handle, signal);
    else notBefore.set(sessionId, clock.now() + settings.backoffMs(1));
  };

  const start = (sessionId: number) => {
    const ended = processSession(sessionId).finally(() => {
      running.delete(sessionId);
      hasChanged = true;
      waker.wake();
    });
    running.set(sessionId, ended);
  };

  while (!signal.aborted) {
    const seen = waker.count;
    try {
      await recover();
      if (hasCapacity()) await findDueTurns();
      failures = 0;
    } catch (error) {
      failures += 1;
      hasChanged = true;
      logger.error({ error, failures }, 'The queue cannot access the storage. It retries after a pause.');
      await sleepIgnoringWakes(clock, settings.backoffMs(failures), signal);
      continue;
    }
    while (due.length > 0 && hasCapacity()) {
      const { sessionId } = due.shift() as WaitingTurn;
      start(sessionId);
    }
    const until = queuePause.until > clock.now() ? queuePause.until : hasCapacity() ? nextDueAt : Infinity;
    await waker.wait({ seen, until: Math.min(until, nextRecoveryAt), signal });
  }
  await Promise.all(running.values());
}

async function handleBatch(
  { settings, clock, logger }: QueueParts,
  batch: HeldBatch,
  handle: HandleBatch,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return endBatch(batch, logger);
  const grace = graceAfterAbort(clock, settings.abortGraceMs, signal);
  try {
    await Promise.race([(async () => handle(batch, { signal }))(), grace.over]);
  } catch (error) {
    if (!signal.aborted) {
      const { sessionId, promptNumber } = batch;
      logger.warn({ error, sessionId, promptNumber }, 'The handler of a batch failed.');
      await batch.release(settings.failureOf(error)).catch((cause: unknown) => {
        logger.error({ error: cause, sessionId }, 'Cannot release a failed batch. The queue retries.');
      });
    }
  } finally {
    grace.cancel();
    await endBatch(batch, logger);
  }
}

/** `over` resolves some time after the abort, for handlers that ignore the signal. */
function graceAfterAbort(clock: QueueParts['clock'], ms: number, signal: AbortSignal) {
  let onAbort = () => {};
  const over = new Promise<void>((resolve) => {
    onAbort = () => void clock.sleep(ms).then(resolve);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  return { over, cancel: () => signal.removeEventListener('abort', onAbort) };
}
