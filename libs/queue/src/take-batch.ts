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
import type { SessionNotes } from './session-notes.js';
import { settlementOf, waitMs } from './settlement-of.js';
import { pauseThroughWakes, type Waker } from './waker.js';

/** A storage that refused to take messages back is asked again after this time, for example when the disk was full. */
const RELEASE_RETRY_MS = 5_000;

/** What the parts of one queue share. */
export interface QueueParts {
  messages: PendingMessages;
  clock: Clock;
  logger: Logger;
  settings: QueueSettings;
  waker: Waker;
  leases: Leases;
  notes: SessionNotes;
  queuePause: QueuePause;
  sessionPauses: SessionPauses;
}

/** Claims what is first in a session and holds it. Null when there was nothing to claim after all. */
export async function takeBatch(
  parts: QueueParts,
  { sessionId, signal }: { sessionId: number; signal: AbortSignal },
): Promise<HeldBatch | null> {
  const { messages, clock, settings, notes } = parts;
  // Storage and handler may both answer without leaving the thread; without this, thousands of messages block it.
  await setImmediate();
  if (signal.aborted) return null;
  const now = clock.now();
  const { maxCount, maxBytes } = settings;
  const countLimit = notes.countLimit(sessionId);
  const claimed = await messages.claim({
    sessionId,
    now,
    maxCount: Math.min(maxCount, countLimit),
    maxBytes,
    maxTurns: settings.maxTurns(),
  });
  // Evidence takes no place in a claim, but it can contain the poison message.
  const kept = alikeFromTheStart(claimed, maxCount).slice(0, countLimit);
  const rest = claimed.slice(kept.length).map(({ id }) => id);
  if (rest.length > 0) await messages.release({ ids: rest, availableAt: now });
  if (kept.length === 0) return null;
  notes.narrow(sessionId, kept);
  return holdBatch(parts, kept, signal);
}

/** Gives an unsettled batch back. If the queue is stopped while the storage refuses it, the next start recovers the claim. */
export async function endBatch(batch: HeldBatch, logger: Logger): Promise<void> {
  try {
    await batch[Symbol.asyncDispose]();
  } catch (error) {
    logger.error(
      { error, sessionId: batch.sessionId },
      'A batch could not be released before the stop; the next start recovers it.',
    );
  }
}

/**
 * Messages that already failed or that a dead process left behind are taken in ever smaller groups, apart from
 * fresh ones, so that one which kills the process takes no other with it.
 */
function alikeFromTheStart(claimed: readonly PendingMessage[], maxCount: number): readonly PendingMessage[] {
  const attempts = claimed[0]?.attempts ?? 0;
  const end = claimed.findIndex((message) => message.attempts !== attempts);
  const limit = Math.max(1, Math.floor((maxCount + EVIDENCE_PER_CLAIM) / 16 ** attempts));
  return claimed.slice(0, Math.min(limit, end === -1 ? claimed.length : end));
}

function holdBatch(parts: QueueParts, messages: readonly PendingMessage[], signal: AbortSignal): HeldBatch {
  const { clock, leases, notes, queuePause, waker, logger, settings } = parts;
  const { sessionId, promptNumber } = messages.at(-1) as PendingMessage;
  const ids = messages.map(({ id }) => id);
  const isTurnOver = messages.some(
    (message) => message.kind === 'summarize' && message.promptNumber === promptNumber,
  );
  let isSettled = false;

  const letGo = () => {
    leases.letGo(ids);
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
    letGo();
  };

  const fail = async (failure: QueueFailure) => {
    const now = clock.now();
    const settlement = settlementOf(messages, failure, settings.maxAttempts);
    const fields = { sessionId, promptNumber, ids, reason: failure.message, settlement };
    const again = (error: { error?: string }, defaultMs: number) =>
      parts.messages.release({ ids, availableAt: now + waitMs(failure, defaultMs), ...error });
    switch (settlement) {
      case 'pause-queue':
        queuePause.failed(failure);
        logger.warn(fields, 'The queue is paused.');
        return parts.messages.release({ ids, availableAt: now });
      case 'pause-session':
        parts.sessionPauses.failed(sessionId, failure);
        logger.info(fields, 'A session is paused.');
        return parts.messages.release({ ids, availableAt: now });
      case 'split':
        notes.suspect(sessionId, ids);
        logger.info(fields, 'A batch failed and is retried in parts.');
        return again({}, failure.retryable ? settings.backoffMs(1) : 0);
      case 'retry':
        logger.info(fields, 'Messages failed and are retried later.');
        return again({ error: failure.message }, settings.backoffMs((messages[0]?.attempts ?? 0) + 1));
      case 'park':
        notes.cleared(sessionId);
        notes.settled(sessionId, { promptNumber, isTurnOver });
        queuePause.parked(failure);
        logger.warn(fields, 'Messages are parked after their last attempt.');
        return parts.messages.park({ ids, error: failure.message });
    }
  };

  const giveBack = async () => {
    if (isSettled) return;
    const waitMs = signal.aborted ? 0 : settings.backoffMs(notes.returned(sessionId));
    const availableAt = clock.now() + waitMs;
    for (;;) {
      try {
        return await settle(() => parts.messages.release({ ids, availableAt }));
      } catch (error) {
        if (signal.aborted) {
          letGo();
          throw error;
        }
        await pauseThroughWakes(clock, RELEASE_RETRY_MS, signal);
      }
    }
  };

  leases.hold(ids);
  return {
    sessionId,
    promptNumber,
    messages,
    isTurnOver,
    confirmed() {
      void settle(async () => {
        notes.succeeded(sessionId, ids);
        queuePause.succeeded();
        notes.settled(sessionId, { promptNumber, isTurnOver });
      });
    },
    release: (failure) => (failure ? settle(() => fail(failure)) : giveBack()),
    [Symbol.asyncDispose]: giveBack,
  };
}
