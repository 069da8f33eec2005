import type { WaitingTurn } from '@claude-mem/core';
import { flushTime } from './flush-time.js';
import type { HandleBatch, HeldBatch } from './queue.js';
import { endBatch, takeBatch, type QueueParts } from './take-batch.js';
import { pauseThroughWakes } from './waker.js';

/** Works on all sessions until aborted, as `Queue.run` promises it. `newsCount` grows with every `notify`. */
export async function runSessions(
  parts: QueueParts & { newsCount: () => number },
  handle: HandleBatch,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  const { clock, logger, settings, waker, leases, queuePause, sessionPauses } = parts;
  /** A session has its place from before the first await until its batch is settled: the limit is never passed. */
  const running = new Map<number, Promise<void>>();
  /** Sessions that looked due and gave nothing, or could not be claimed: not asked again before then. */
  const notBefore = new Map<number, number>();
  let due: WaitingTurn[] = [];
  let nextDueAt = Infinity;
  let nextRecoveryAt = -Infinity;
  let hasSettled = true;
  let seenNews = -1;
  let failures = 0;

  const recover = async () => {
    if (clock.now() < nextRecoveryAt) return;
    const found = await leases.recover();
    nextRecoveryAt = clock.now() + settings.leaseMs;
    if (found === 0) return;
    hasSettled = true;
    logger.warn({ found }, 'Messages whose claim had run out are in the queue again.');
  };

  const look = async () => {
    const isWorkedOff = due.length === 0 && (hasSettled || nextDueAt <= clock.now());
    if (!isWorkedOff && seenNews === parts.newsCount()) return;
    seenNews = parts.newsCount();
    hasSettled = false;
    const turns = await parts.messages.waitingTurns({ maxTurns: settings.maxTurns() });
    const now = clock.now();
    due = [];
    nextDueAt = Infinity;
    for (const [sessionId, at] of notBefore) if (at <= now) notBefore.delete(sessionId);
    for (const turn of turns) {
      const { sessionId, promptNumber } = turn;
      if (running.has(sessionId)) continue;
      const flushAt = flushTime(turn, settings, parts.notes.of(sessionId, promptNumber));
      const at = Math.max(flushAt, notBefore.get(sessionId) ?? -Infinity, sessionPauses.until(sessionId));
      if (at <= now) due.push(turn);
      else nextDueAt = Math.min(nextDueAt, at);
    }
  };

  const hasRoom = () =>
    !signal.aborted &&
    queuePause.until <= clock.now() &&
    running.size < (queuePause.isProbing ? 1 : settings.concurrency);

  const work = async (sessionId: number) => {
    let batch: HeldBatch | null = null;
    try {
      batch = await takeBatch(parts, { sessionId, signal });
    } catch (error) {
      logger.error({ error, sessionId }, 'A session could not be claimed and is tried again later.');
    }
    if (batch) await handleBatch(parts, batch, handle, signal);
    else notBefore.set(sessionId, clock.now() + settings.backoffMs(1));
  };

  const start = (sessionId: number) => {
    const ended = work(sessionId).finally(() => {
      running.delete(sessionId);
      hasSettled = true;
      waker.wake();
    });
    running.set(sessionId, ended);
  };

  while (!signal.aborted) {
    const seen = waker.count;
    try {
      await recover();
      if (hasRoom()) await look();
      failures = 0;
    } catch (error) {
      failures += 1;
      hasSettled = true;
      logger.error({ error, failures }, 'The queue cannot use its storage and tries again.');
      await pauseThroughWakes(clock, settings.backoffMs(failures), signal);
      continue;
    }
    while (due.length > 0 && hasRoom()) {
      const { sessionId } = due.shift() as WaitingTurn;
      start(sessionId);
    }
    const until = queuePause.until > clock.now() ? queuePause.until : hasRoom() ? nextDueAt : Infinity;
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
      logger.warn({ error, sessionId, promptNumber }, 'A batch could not be processed.');
      await batch.release(settings.failureOf(error)).catch((cause: unknown) => {
        logger.error(
          { error: cause, sessionId },
          'A failed batch could not be released; this is tried again.',
        );
      });
    }
  } finally {
    grace.cancel();
    await endBatch(batch, logger);
  }
}

/** `over` resolves some time after the abort, for handlers that do not listen to it. */
function graceAfterAbort(clock: QueueParts['clock'], ms: number, signal: AbortSignal) {
  let onAbort = () => {};
  const over = new Promise<void>((resolve) => {
    onAbort = () => void clock.sleep(ms).then(resolve);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  return { over, cancel: () => signal.removeEventListener('abort', onAbort) };
}
