import { setImmediate } from 'node:timers/promises';
import {
  EVIDENCE_PER_CLAIM,
  type Clock,
  type Logger,
  type PendingMessage,
  type PendingMessages,
} from '@claude-mem/core';
import type { QueuePause } from './queue-pause.js';
import type { Leases } from './leases.js';
import type { HeldBatch, QueueFailure } from './queue.js';
import type { QueueSettings } from './queue-options.js';
import type { SessionPauses } from './session-pauses.js';
import type { SessionHistory } from './session-history.js';
import { chooseSettlement, getWaitMs } from './choose-settlement.js';
import { sleepIgnoringWakes, type Waker } from './waker.js';

/**
 * Wait before the next attempt to release messages when the storage refused it, for example because the disk was full.
 */
const RELEASE_RETRY_MS = 5_000;

/** Dependencies and state that the parts of one queue share. */
export interface QueueParts {
  messages: PendingMessages;
  clock: Clock;
  logger: Logger;
  settings: QueueSettings;
  waker: Waker;
  leases: Leases;
  history: SessionHistory;
  queuePause: QueuePause;
  sessionPauses: SessionPauses;
}

/** Claims and holds the first messages of a session. Returns null when no message could be claimed. */
export async function takeBatch(
  parts: QueueParts,
  { sessionId, signal }: { sessionId: number; signal: AbortSignal },
): Promise<HeldBatch | null> {
  const { messages, clock, settings, history } = parts;
  // The storage and the handler can both respond without leaving the thread. Without this pause, thousands of messages
  // block the event loop.
  await setImmediate();
  if (signal.aborted) return null;
  const now = clock.now();
  const { maxCount, maxBytes } = settings;
  const countLimit = history.countLimit(sessionId);
  const claimed = await messages.claim({
    sessionId,
    now,
    maxCount: Math.min(maxCount, countLimit),
    maxBytes,
    maxTurns: settings.maxTurns(),
  });
  // Evidence does not count toward the limit of a claim, but it can contain the poison message.
  const similar = takeSimilar(claimed, maxCount).slice(0, countLimit);
  const rest = claimed.slice(similar.length).map(({ id }) => id);
  if (rest.length > 0) await messages.release({ ids: rest, availableAt: now });
  if (similar.length === 0) return null;
  history.updateSuspects(sessionId, similar);
  return holdBatch(parts, similar, signal);
}

/** Releases an unsettled batch. If the queue is stopped while the storage fails, the next start recovers the claim. */
export async function endBatch(batch: HeldBatch, logger: Logger): Promise<void> {
  try {
    await batch[Symbol.asyncDispose]();
  } catch (error) {
    logger.error(
      { error, sessionId: batch.sessionId },
      'Cannot release a batch before the stop. The next start recovers it.',
    );
  }
}

/**
 * Returns the first messages with the same number of attempts. Messages that failed or whose process died are claimed
 * separately from new messages, in increasingly small groups. A message that kills the process then affects few others.
 */
function takeSimilar(claimed: readonly PendingMessage[], maxCount: number): readonly PendingMessage[] {
  const attempts = claimed[0]?.attempts ?? 0;
  const end = claimed.findIndex((message) => message.attempts !== attempts);
  const limit = Math.max(1, Math.floor((maxCount + EVIDENCE_PER_CLAIM) / 16 ** attempts));
  return claimed.slice(0, Math.min(limit, end === -1 ? claimed.length : end));
}

function holdBatch(parts: QueueParts, messages: readonly PendingMessage[], signal: AbortSignal): HeldBatch {
  const { clock, leases, history, queuePause, waker, logger, settings } = parts;
  const { sessionId, promptNumber } = messages.at(-1) as PendingMessage;
  const ids = messages.map(({ id }) => id);
  const isTurnOver = messages.some(
    (message) => message.kind === 'summarize' && message.promptNumber === promptNumber,
  );
  let isSettled = false;

  const releaseLease = () => {
    leases.release(ids);
    waker.wake();
  };

  const settle = async (change: () => Promise<void>) => {
    if (isSettled) return;
    isSettled = true;
    try {
      await change();
    } catch (error) {
      isSettled = false;
      throw error;
    }
    releaseLease();
  };

  const fail = async (failure: QueueFailure) => {
    const now = clock.now();
    const settlement = chooseSettlement(messages, failure, settings.maxAttempts);
    const fields = { sessionId, promptNumber, ids, reason: failure.message, settlement };
    const releaseForRetry = (error: { error?: string }, defaultMs: number) =>
      parts.messages.release({ ids, availableAt: now + getWaitMs(failure, defaultMs), ...error });
    switch (settlement) {
      case 'pause-queue':
        queuePause.recordFailure(failure);
        logger.warn(fields, 'The queue is paused.');
        return parts.messages.release({ ids, availableAt: now });
      case 'pause-session':
        parts.sessionPauses.recordFailure(sessionId, failure);
        logger.info(fields, 'A session is paused.');
        return parts.messages.release({ ids, availableAt: now });
      case 'split':
        history.setSuspects(sessionId, ids);
        logger.info(fields, 'A batch failed. The queue retries it in smaller parts.');
        return releaseForRetry({}, failure.retryable ? settings.backoffMs(1) : 0);
      case 'retry':
        logger.info(fields, 'Messages failed. The queue retries them later.');
        return releaseForRetry(
          { error: failure.message },
          settings.backoffMs((messages[0]?.attempts ?? 0) + 1),
        );
      case 'park':
        history.clearSuspects(sessionId);
        history.recordSettled(sessionId, { promptNumber, isTurnOver });
        queuePause.recordParked(failure);
        logger.warn(fields, 'Messages were parked after their last attempt.');
        return parts.messages.park({ ids, error: failure.message });
    }
  };

  const returnBatch = async () => {
    if (isSettled) return;
    const backoff = signal.aborted ? 0 : settings.backoffMs(history.recordReturn(sessionId));
    const availableAt = clock.now() + backoff;
    for (;;) {
      try {
        return await settle(() => parts.messages.release({ ids, availableAt }));
      } catch (error) {
        if (signal.aborted) {
          releaseLease();
          throw error;
        }
        await sleepIgnoringWakes(clock, RELEASE_RETRY_MS, signal);
      }
    }
  };

  leases.hold(ids);
  return {
    sessionId,
    promptNumber,
    messages,
    isTurnOver,
    confirm() {
      void settle(async () => {
        history.recordSuccess(sessionId, ids);
        queuePause.recordSuccess();
        history.recordSettled(sessionId, { promptNumber, isTurnOver });
      });
    },
    release: (failure) => (failure ? settle(() => fail(failure)) : returnBatch()),
    [Symbol.asyncDispose]: returnBatch,
  };
}
