import { toSingleLine, truncate } from '@claude-mem/core';
import { INVISIBLE } from './ignorable.js';

const INVISIBLE_RUN = `[${INVISIBLE}]*`;
/** `<` in any width, with what hides between it and what would make it a tag. */
const LIKE_TAG = new RegExp(
  `[<\\uff1c\\ufe64](?=${INVISIBLE_RUN}[A-Za-z/!?\\uff01\\uff0f\\uff1f\\uff21-\\uff3a\\uff41-\\uff5a\\u00c0-\\u024f])`,
  'g',
);
const SPACED = new RegExp(`[<\\uff1c\\ufe64](?=[\\s${INVISIBLE}])`, 'g');
const NEXT_BRACKET = /[<\uff1c\ufe64>\uff1e\ufe65]/g;
const ESCAPED_BRACKET = /&(?=(?:amp;)*(?:lt|gt|#0*6[02]|#x0*3[ce]);?)/gi;
/**
 * Control characters, marks that turn the direction of text, and the tags and variation selectors of plane 14, in which whole
 * sentences can be written: they show a reader something else than is there.
 */
const CONTROL_SOURCE =
  '\\u001b\\[[0-9;?]*[A-Za-z]|\\udb40[\\udc00-\\uddef]|[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]';
const CONTROL = new RegExp(CONTROL_SOURCE, 'g');
const LONGEST_BLANK = 200;

/**
 * Stored text as it may be shown to an agent: nothing in it can open or close a tag, so it cannot leave the block it stands in.
 * `<` becomes `&lt;` only where a tag could begin: before a letter, `/`, `!` or `?`, also in full width or with something invisible or
 * blank between when a `>` follows. `a < b` and `x <= 3` stay. Line breaks are kept.
 */
export function quoteForAgent(text: string): string {
  const clean = text.toWellFormed().replace(CONTROL, '').replace(ESCAPED_BRACKET, '&amp;');
  return escapeSpacedTags(clean.replace(LIKE_TAG, '&lt;'));
}

/** The same on one line: line ends and runs of blanks become one space. */
export function quoteLineForAgent(text: string): string {
  return toSingleLine(quoteForAgent(text));
}

/** The beginning of `&lt;` or `&amp;` before a cut. */
const CUT_ESCAPE = /\s*&(?:lt?|a(?:mp?)?)?…$/;

/** Cuts a quoted text to `limit` UTF-16 units, `…` included, but not within an escape. */
export function truncateQuoted(text: string, limit: number): string {
  return text.length <= limit ? text : truncate(text, limit).replace(CUT_ESCAPE, '…');
}

/** `< /x >`, `<\n x>`: a blank alone makes no tag, but a reader that is generous with blanks would see one. */
function escapeSpacedTags(text: string): string {
  return text.replace(SPACED, (bracket, at: number) => {
    NEXT_BRACKET.lastIndex = at + 1;
    const next = NEXT_BRACKET.exec(text);
    const inner = text
      .slice(at + 1, Math.min(next?.index ?? text.length, at + LONGEST_BLANK))
      .replace(/[^\S ]|[^\x20-\x7e\uff01-\uff5e]/g, ' ');
    const visible = inner.trimStart();
    if (/^[/!?\uff0f]/.test(visible) || (visible === '' && inner.length >= LONGEST_BLANK - 1)) return '&lt;';
    const isClosed = next !== null && /[>\uff1e\ufe65]/.test(next[0]);
    return isClosed && /^[A-Za-z\uff21-\uff5a]/.test(visible) ? '&lt;' : bracket;
  });
}
