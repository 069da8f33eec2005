import type { WaitingTurn } from '@claude-mem/core';
import type { QueueSettings } from './queue-options.js';
import type { TurnNotes } from './session-notes.js';

/**
 * Returns the time from which waiting turns may be claimed. If they are over, another prompt arrived, they are full, or they were
 * flushed after their first message, this is the time when their first message is available. Otherwise the turns wait for silence,
 * which is shorter after the end of the turn. Turns without tool uses are over when there are `maxTurns` or the session is over.
 */
export function flushTime(
  turn: WaitingTurn,
  settings: Pick<
    QueueSettings,
    'maxCount' | 'maxBytes' | 'maxTurns' | 'idleFlushMs' | 'lateFlushMs' | 'conversationFlushMs'
  >,
  { progress, flushedAt }: TurnNotes,
): number {
  const isFull = turn.count >= settings.maxCount || turn.bytes >= settings.maxBytes;
  const isAskedFor = turn.count > 0 && turn.firstAtEpoch <= flushedAt;
  // the end of a turn whose tool uses were processed before is no turn without tool uses
  const isConversation = turn.isConversation && progress !== 'begun';
  const isOver = isConversation
    ? turn.isSessionOver || turn.turns >= settings.maxTurns()
    : turn.isOver || turn.hasLaterPrompt;
  if (isOver || isFull || isAskedFor) return turn.availableAtEpoch;
  const silenceMs = isConversation
    ? settings.conversationFlushMs
    : progress === 'ended'
      ? settings.lateFlushMs
      : settings.idleFlushMs;
  return Math.max(turn.availableAtEpoch, turn.newestAtEpoch + silenceMs);
}
