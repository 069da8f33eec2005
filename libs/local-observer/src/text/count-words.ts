const WIDE = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/g;

/** Counts words. In scripts without spaces, about four characters count as one word. */
export function countWords(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  const rest = text
    .replace(WIDE, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  return Math.ceil(wide / 4) + rest.length;
}

/** Returns true for a text in a script without spaces. */
export function isWideScript(text: string): boolean {
  return (text.match(WIDE)?.length ?? 0) * 4 > text.length;
}
