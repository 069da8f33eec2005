/** A text as a model streams it: whole characters, a few at a time, and several pieces even of a short text. */
export function piecesOf(text: string): string[] {
  const characters = [...text];
  const few = Math.min(24, Math.ceil(characters.length / 3));
  const size = Math.max(few, Math.ceil(characters.length / 5_000));
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  return pieces;
}
