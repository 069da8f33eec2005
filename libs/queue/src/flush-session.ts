import type { QueueParts } from './take-batch.js';

/** Makes what waits of a session due, as `Queue.flush` promises it. The caller wakes the queue. */
export async function flushSession(
  { clock, queuePause, messages, notes, sessionPauses, settings, waker }: QueueParts,
  { sessionId, signal }: { sessionId: number; signal: AbortSignal },
): Promise<void> {
  const at = clock.now();
  notes.flushed(sessionId, at);
  const isAtWork = async () => {
    const now = clock.now();
    if (Math.max(queuePause.until, sessionPauses.until(sessionId)) > now) return false;
    const turns = await messages.waitingTurns({ maxTurns: settings.maxTurns() });
    const turn = turns.find((waiting) => waiting.sessionId === sessionId);
    if (turn) return turn.count > 0 && turn.firstAtEpoch <= at && turn.availableAtEpoch <= now;
    return (await messages.counts({ sessionId })).processing > 0;
  };
  while (!signal.aborted) {
    const seen = waker.count;
    if (!(await isAtWork())) return;
    await waker.wait({ seen, until: Infinity, signal });
  }
}
