/**
 * Splits a text like a model that streams it: a few complete characters per part, and several parts even for a short
 * text.
 */
export function piecesOf(text: string): string[] {
  const characters = [...text];
  const few = Math.min(24, Math.ceil(characters.length / 3));
  const size = Math.max(few, Math.ceil(characters.length / 5_000));
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  return pieces;
}
