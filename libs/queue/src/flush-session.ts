import type { QueueParts } from './take-batch.js';

/** Flushes the pending messages of a session, as documented at `Queue.flush`. The caller must wake the queue. */
export async function flushSession(
  { clock, queuePause, messages, history, sessionPauses, settings, waker }: QueueParts,
  { sessionId, signal }: { sessionId: number; signal: AbortSignal },
): Promise<void> {
  const at = clock.now();
  history.recordFlush(sessionId, at);
  const hasWork = async () => {
    const now = clock.now();
    if (Math.max(queuePause.until, sessionPauses.until(sessionId)) > now) return false;
    const turns = await messages.waitingTurns({ maxTurns: settings.maxTurns() });
    const turn = turns.find((waiting) => waiting.sessionId === sessionId);
    if (turn) return turn.count > 0 && turn.firstAtEpoch <= at && turn.availableAtEpoch <= now;
    return (await messages.counts({ sessionId })).processing > 0;
  };
  while (!signal.aborted) {
    const seen = waker.count;
    if (!(await hasWork())) return;
    await waker.wait({ seen, until: Infinity, signal });
  }
}
