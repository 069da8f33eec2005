/**
 * Whether a part of a stored text is missing: a line that is not in the text may be in that part. Texts are cut in the middle with a
 * note, and some sources cut the end.
 */
export const isCut = (text: string): boolean =>
  text.includes(' characters left out] …') || text.trimEnd().endsWith('…');
