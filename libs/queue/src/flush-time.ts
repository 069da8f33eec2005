import type { WaitingTurn } from '@claude-mem/core';
import type { QueueSettings } from './queue-options.js';
import type { TurnHistory } from './session-history.js';

/**
 * Returns the time from which waiting turns may be claimed.
 * Turns are due when their first message is available if they are over, have a later prompt, are full, or were flushed
 * after their first message. Other turns wait for silence, which is shorter after the end of the turn. Turns without
 * tool uses are over when there are `maxTurns` or the session is over.
 */
export function flushTime(
  turn: WaitingTurn,
  settings: Pick<
    QueueSettings,
    'maxCount' | 'maxBytes' | 'maxTurns' | 'idleFlushMs' | 'lateFlushMs' | 'conversationFlushMs'
  >,
  { progress, flushedAt }: TurnHistory,
): number {
  const isFull = turn.count >= settings.maxCount || turn.bytes >= settings.maxBytes;
  const isFlushRequested = turn.count > 0 && turn.firstAtEpoch <= flushedAt;
  // A turn whose tool uses were already processed is not a turn without tool uses.
  const isConversation = turn.isConversation && progress !== 'begun';
  const isOver = isConversation
    ? turn.isSessionOver || turn.turns >= settings.maxTurns()
    : turn.isOver || turn.hasLaterPrompt;
  if (isOver || isFull || isFlushRequested) return turn.availableAtEpoch;
  const silenceMs = isConversation
    ? settings.conversationFlushMs
    : progress === 'ended'
      ? settings.lateFlushMs
      : settings.idleFlushMs;
  return Math.max(turn.availableAtEpoch, turn.newestAtEpoch + silenceMs);
}
