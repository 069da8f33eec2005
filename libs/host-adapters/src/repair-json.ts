/**
 * Returns the first complete object or array of a text, and repairs strings of hosts: escapes control characters and
 * doubles invalid backslashes. Null when no value is complete, or with `isAlone` when text follows it. Linear time.
 */
export function repairJson(text: string, { isAlone = false } = {}): string | null {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      const end = endOfString(text, at);
      parts.push(text.slice(from, at), repairString(text.slice(at, end)));
      from = end;
      at = end - 1;
    } else if (unit === 0x7b || unit === 0x5b) depth += 1;
    else if (unit === 0x7d || unit === 0x5d) {
      depth -= 1;
      if (depth > 0) continue;
      return isAlone && /\S/.test(text.slice(at + 1)) ? null : parts.join('') + text.slice(from, at + 1);
    }
  }
  return null;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return Math.min(at + 1, text.length);
}

function repairString(string: string): string {
  return (
    string
      .replace(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\/g, (found) => (found.length === 1 ? '\\\\' : found))
      // eslint-disable-next-line no-control-regex -- raw control characters are the fault that is repaired here
      .replace(/[\u0000-\u001f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  );
}
