import type { WaitingTurn } from '@claude-mem/core';
import type { QueueSettings } from './queue-options.js';

/**
 * From when on a waiting turn may be claimed: as soon as its first message is available when it is over, another
 * prompt came or it is full; else after silence, which is shorter for what came in after its end.
 */
export function flushTime(
  turn: WaitingTurn,
  settings: Pick<QueueSettings, 'maxCount' | 'maxBytes' | 'idleFlushMs' | 'lateFlushMs'>,
  hasEnded: boolean,
): number {
  const isFull = turn.count >= settings.maxCount || turn.bytes >= settings.maxBytes;
  if (turn.isOver || turn.hasLaterPrompt || isFull) return turn.availableAtEpoch;
  const silenceMs = hasEnded ? settings.lateFlushMs : settings.idleFlushMs;
  return Math.max(turn.availableAtEpoch, turn.newestAtEpoch + silenceMs);
}
