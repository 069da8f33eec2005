import { flushTime } from './flush-time.js';
import type { HeldBatch } from './queue.js';
import { endBatch, takeBatch, type QueueParts } from './take-batch.js';
import { sleepIgnoringWakes } from './waker.js';

/** Returns the batches of one session, as documented at `Queue.batches`. */
export async function* sessionBatches(
  parts: QueueParts,
  { sessionId, signal }: { sessionId: number; signal: AbortSignal },
): AsyncGenerator<HeldBatch, void, undefined> {
  const { clock, logger, settings, waker } = parts;
  let failures = 0;
  while (!signal.aborted) {
    const seen = waker.count;
    let until: number;
    let batch: HeldBatch | null = null;
    try {
      until = await nextTime(parts, sessionId);
      if (until <= clock.now()) batch = await takeBatch(parts, { sessionId, signal });
      failures = 0;
    } catch (error) {
      failures += 1;
      logger.error({ error, sessionId }, 'The queue cannot access the storage. It retries after a pause.');
      await sleepIgnoringWakes(clock, settings.backoffMs(failures), signal);
      continue;
    }
    if (batch) {
      try {
        if (!signal.aborted) yield batch;
      } finally {
        await endBatch(batch, logger);
      }
    } else if (until > clock.now()) {
      await waker.wait({ seen, until, signal });
    } else {
      // The messages are due but cannot be claimed. An immediate retry would have the same result.
      await sleepIgnoringWakes(clock, settings.backoffMs(1), signal);
    }
  }
}

async function nextTime(parts: QueueParts, sessionId: number) {
  const { clock, messages, settings, history, queuePause, sessionPauses } = parts;
  const pausedUntil = Math.max(queuePause.until, sessionPauses.until(sessionId));
  if (pausedUntil > clock.now()) return pausedUntil;
  const turns = await messages.waitingTurns({ maxTurns: settings.maxTurns() });
  const turn = turns.find((waiting) => waiting.sessionId === sessionId);
  return turn ? flushTime(turn, settings, history.getTurn(sessionId, turn.promptNumber)) : Infinity;
}
