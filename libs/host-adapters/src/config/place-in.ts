/** A place in a text as people find it in an editor. */
export function placeIn(text: string, at: number): string {
  const before = text.slice(text.startsWith('\ufeff') ? 1 : 0, at).split(/\r\n|\n|\r/);
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
