const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);

/** Checks whether JSON text nests objects and arrays deeper than `limit`, in one pass without recursion. */
export function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) index = endOfString(text, index);
    else if (OPENING.has(unit)) {
      depth += 1;
      if (depth > limit) return true;
    } else if (CLOSING.has(unit)) depth -= 1;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === BACKSLASH) index += 1;
    else if (unit === QUOTE) return index;
  }
  return text.length;
}
