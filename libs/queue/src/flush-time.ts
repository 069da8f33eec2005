import type { WaitingTurn } from '@claude-mem/core';
import type { QueueSettings } from './queue-options.js';
import type { TurnNotes } from './session-notes.js';

/**
 * From when on a waiting turn may be claimed: as soon as its first message is available when it is over, another
 * prompt came, it is full, or it was asked for since work was put into it; else after silence, which is shorter for what
 * came in after its end.
 */
export function flushTime(
  turn: WaitingTurn,
  settings: Pick<QueueSettings, 'maxCount' | 'maxBytes' | 'idleFlushMs' | 'lateFlushMs'>,
  { hasEnded, flushedAt }: TurnNotes,
): number {
  const isFull = turn.count >= settings.maxCount || turn.bytes >= settings.maxBytes;
  const isAskedFor = turn.count > 0 && turn.firstAtEpoch <= flushedAt;
  if (turn.isOver || turn.hasLaterPrompt || isFull || isAskedFor) return turn.availableAtEpoch;
  const silenceMs = hasEnded ? settings.lateFlushMs : settings.idleFlushMs;
  return Math.max(turn.availableAtEpoch, turn.newestAtEpoch + silenceMs);
}
