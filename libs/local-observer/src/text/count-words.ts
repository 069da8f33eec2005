const WIDE = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/g;

/** Words as a reader counts them; in scripts without spaces about four characters make one. */
export function countWords(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  const rest = text
    .replace(WIDE, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  return Math.ceil(wide / 4) + rest.length;
}

/** True for a text that is mostly written without spaces. */
export function isWideScript(text: string): boolean {
  return (text.match(WIDE)?.length ?? 0) * 4 > text.length;
}
