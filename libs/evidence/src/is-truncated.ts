/**
 * Returns true when a part of a stored text is missing: the middle is replaced by a note, or the text ends with `…`. A
 * line that the text does not contain may be in the missing part.
 */
export const isTruncated = (text: string): boolean =>
  text.includes(' characters left out] …') || text.trimEnd().endsWith('…');
