import { sliceCharacters } from '@claude-mem/core';
import { MAX_REPLY_CHARS } from './reply-limits.js';

/** Collects a reply in parts, up to a limit. */
export interface ReplyText {
  /** Returns false when the limit is reached: the part is dropped, and the stream can be closed. */
  add(piece: string): boolean;
  readonly isCut: boolean;
  /** Well-formed UTF-16, even when a part ended in the middle of a character. */
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
    toString: () => sliceCharacters(pieces.join(''), 0, limit).toWellFormed(),
  };
}
