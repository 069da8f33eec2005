/** Formats a position in a text as line and column. */
export function placeIn(text: string, at: number): string {
  const before = text.slice(text.startsWith('\ufeff') ? 1 : 0, at).split(/\r\n|\n|\r/);
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
