/**
 * The first complete object or array of a text, with what hosts get wrong inside strings put right: raw control characters are
 * escaped, backslashes that escape nothing are doubled. Null when no value is complete. Linear.
 */
export function repairJson(text: string): string | null {
  const parts: string[] = [];
  let depth = 0;
  let isInString = false;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (isInString) {
      if (unit === BACKSLASH) {
        const length = escapeLength(text, at);
        if (length === 0) {
          parts.push(text.slice(from, at), '\\\\');
          from = at + 1;
        } else at += length - 1;
      } else if (unit === QUOTE) isInString = false;
      else if (unit < 0x20) {
        parts.push(text.slice(from, at), `\\u${unit.toString(16).padStart(4, '0')}`);
        from = at + 1;
      }
    } else if (unit === QUOTE) isInString = true;
    else if (unit === 0x7b || unit === 0x5b) depth += 1;
    else if (unit === 0x7d || unit === 0x5d) {
      depth -= 1;
      if (depth <= 0) return parts.join('') + text.slice(from, at + 1);
    }
  }
  return null;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** How many characters the escape at this place takes; 0 when it is none. */
function escapeLength(text: string, at: number): number {
  const next = text[at + 1] ?? '';
  if (next !== '' && '"\\/bfnrt'.includes(next)) return 2;
  return next === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6)) ? 6 : 0;
}
