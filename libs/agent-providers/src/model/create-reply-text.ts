import { wholeSlice } from '@claude-mem/core';
import { MAX_REPLY_CHARS } from './reply-limits.js';

/** A reply that grows piece by piece, up to a limit. */
export interface ReplyText {
  /** False once the limit is reached: nothing more is taken, the stream may be closed. */
  add(piece: string): boolean;
  readonly isCut: boolean;
  /** Well-formed UTF-16, whatever the pieces were. */
  toString(): string;
}

export function createReplyText(limit = MAX_REPLY_CHARS): ReplyText {
  const pieces: string[] = [];
  let length = 0;
  return {
    add(piece) {
      if (length > limit) return false;
      pieces.push(piece);
      length += piece.length;
      return length <= limit;
    },
    get isCut() {
      return length > limit;
    },
    toString: () => wholeSlice(pieces.join(''), 0, limit).toWellFormed(),
  };
}
