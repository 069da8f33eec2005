import { noopLogger, systemClock, type Clock, type Logger, type PendingMessages } from '@claude-mem/core';
import { flushSession } from './flush-session.js';
import { createQueuePause } from './queue-pause.js';
import { createLeases } from './leases.js';
import type { Queue } from './queue.js';
import { QueueError } from './queue-error.js';
import { resolveQueueOptions, type QueueOptions } from './queue-options.js';
import { runSessions } from './run-sessions.js';
import { sessionBatches } from './session-batches.js';
import { createSessionPauses } from './session-pauses.js';
import { createSessionHistory } from './session-history.js';
import { type QueueParts } from './take-batch.js';
import { createWaker } from './waker.js';

/**
 * Creates a queue over stored messages.
 * @throws QueueError `queue/invalid-option` for invalid options
 */
export function createQueue({
  messages,
  clock = systemClock,
  logger = noopLogger,
  options = {},
}: {
  messages: PendingMessages;
  clock?: Clock;
  logger?: Logger;
  options?: QueueOptions;
}): Queue {
  const settings = resolveQueueOptions(options);
  const parts: QueueParts = {
    messages,
    clock,
    logger,
    settings,
    waker: createWaker(clock),
    leases: createLeases({
      messages,
      clock,
      logger,
      leaseMs: settings.leaseMs,
      maxRecoveries: settings.maxRecoveries,
    }),
    history: createSessionHistory(),
    queuePause: createQueuePause(clock, settings),
    sessionPauses: createSessionPauses(clock, settings),
  };
  const { waker, leases, queuePause, sessionPauses } = parts;
  let notificationCount = 0;
  let isRunning = false;

  const notify = () => {
    notificationCount += 1;
    waker.wake();
  };

  return {
    notify,
    flush(request) {
      const flushed = flushSession(parts, request);
      notify();
      return flushed;
    },
    batches: (request) => sessionBatches(parts, request),
    async run(handle, { signal }) {
      if (isRunning)
        throw new QueueError(
          'queue/already-running',
          'The queue is already running. Wait until the earlier run() has ended.',
        );
      isRunning = true;
      try {
        await runSessions({ ...parts, notificationCount: () => notificationCount }, handle, { signal });
      } finally {
        isRunning = false;
      }
    },
    activity: () => ({
      running: leases.size,
      pausedUntil: queuePause.until > clock.now() ? queuePause.until : null,
      pauseReason: queuePause.reason,
      pausedSessions: sessionPauses.count,
      sessionPauseReason: sessionPauses.reason,
    }),
    resume() {
      queuePause.clear();
      sessionPauses.clear();
      notify();
    },
  };
}
