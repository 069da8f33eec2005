import { sliceCharacters } from '@claude-mem/core';

/**
 * Cuts after a complete line. A closing tag on the last line is kept, because its block would otherwise include the
 * following text.
 */
export function cutToLines(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const closing = /\n<\/[\w-]{1,60}>\s*$/.exec(text.slice(-80))?.[0].trimEnd() ?? '';
  const room = limit - closing.length;
  const lastLineEnd = text.lastIndexOf('\n', room);
  const end = lastLineEnd > 0 ? lastLineEnd : room;
  return sliceCharacters(text, 0, end) + closing;
}
