import { toSingleLine, truncate } from '@claude-mem/core';
import { INVISIBLE } from './ignorable.js';

const INVISIBLE_RUN = `[${INVISIBLE}]*`;
/** Matches `<` in any width, with invisible characters before a character that starts a tag. */
const TAG_START = new RegExp(
  `[<\\uff1c\\ufe64](?=${INVISIBLE_RUN}[A-Za-z/!?\\uff01\\uff0f\\uff1f\\uff21-\\uff3a\\uff41-\\uff5a\\u00c0-\\u024f])`,
  'g',
);
const SPACED = new RegExp(`[<\\uff1c\\ufe64](?=[\\s${INVISIBLE}])`, 'g');
const NEXT_BRACKET = /[<\uff1c\ufe64>\uff1e\ufe65]/g;
const ESCAPED_BRACKET = /&(?=(?:amp;)*(?:lt|gt|#0*6[02]|#x0*3[ce]);?)/gi;
/**
 * Control characters, direction marks, and the tags and variation selectors of Unicode plane 14. They can hide complete
 * sentences from a reader, or change the displayed order.
 */
const CONTROL_SOURCE =
  '\\u001b\\[[0-9;?]*[A-Za-z]|\\udb40[\\udc00-\\uddef]|[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]';
const CONTROL = new RegExp(CONTROL_SOURCE, 'g');
const MAX_SPACE_LENGTH = 200;

/**
 * Quotes stored text for an agent. The text cannot open or close a tag, so it cannot end the block that contains it.
 * `<` becomes `&lt;` only where a tag can begin: before a letter, `/`, `!` or `?`, also in full width, or after an
 * invisible character or a space when `>` follows. `a < b` and `x <= 3` do not change. Line breaks are kept.
 */
export function quoteForAgent(text: string): string {
  const clean = text.toWellFormed().replace(CONTROL, '').replace(ESCAPED_BRACKET, '&amp;');
  return escapeSpacedTags(clean.replace(TAG_START, '&lt;'));
}

/** Quotes stored text on one line. Line breaks and runs of white space become one space. */
export function quoteLineForAgent(text: string): string {
  return toSingleLine(quoteForAgent(text));
}

/** Matches the beginning of `&lt;` or `&amp;` at the end of a truncated text. */
const TRUNCATED_ESCAPE = /\s*&(?:lt?|a(?:mp?)?)?…$/;

/** Truncates a quoted text to `limit` UTF-16 code units, including `…`, without splitting an escape. */
export function truncateQuoted(text: string, limit: number): string {
  return text.length <= limit ? text : truncate(text, limit).replace(TRUNCATED_ESCAPE, '…');
}

/** Escapes `< /x >` and `<\n x>`. White space after `<` makes no tag, but a lenient reader would parse one. */
function escapeSpacedTags(text: string): string {
  return text.replace(SPACED, (bracket, at: number) => {
    NEXT_BRACKET.lastIndex = at + 1;
    const next = NEXT_BRACKET.exec(text);
    const inner = text
      .slice(at + 1, Math.min(next?.index ?? text.length, at + MAX_SPACE_LENGTH))
      .replace(/[^\S ]|[^\x20-\x7e\uff01-\uff5e]/g, ' ');
    const visible = inner.trimStart();
    if (/^[/!?\uff0f]/.test(visible) || (visible === '' && inner.length >= MAX_SPACE_LENGTH - 1))
      return '&lt;';
    const isClosed = next !== null && /[>\uff1e\ufe65]/.test(next[0]);
    return isClosed && /^[A-Za-z\uff21-\uff5a]/.test(visible) ? '&lt;' : bracket;
  });
}
