/** How far the model knows a text, by its pieces. */
export interface KnownText {
  /** Whether any piece says something. */
  hasPiece(ids: readonly number[]): boolean;
  /** Whether any word is more than crumbs: the vector of crumbs is near to whatever is as odd, whatever it means. */
  hasWord(ids: readonly number[]): boolean;
}

/** From the vocabulary of the model: `[piece, score]` by id. */
export function createKnownText(vocabulary: readonly (readonly [string, number])[]): KnownText {
  const isMute = vocabulary.map(([piece], id) => id === UNKNOWN || piece === WORD_START);
  const startsWord = vocabulary.map(([piece]) => piece.startsWith(WORD_START));
  const letters = vocabulary.map(([piece], id) =>
    id === UNKNOWN ? 0 : (piece.match(/\p{L}/gu)?.length ?? 0),
  );

  return {
    hasPiece: (ids) => ids.some((id) => isMute[id] === false),
    hasWord(ids) {
      let read = 0;
      let pieces = 0;
      for (const id of ids) {
        if (startsWord[id]) {
          if (isWord(read, pieces)) return true;
          read = 0;
          pieces = 0;
        }
        const more = letters[id] ?? 0;
        read += more;
        if (more > 0 || id === UNKNOWN) pieces += 1;
      }
      return isWord(read, pieces);
    },
  };
}

const UNKNOWN = 0;
const WORD_START = '▁';
/** Words that the model knows have three and more; what is typed at random stays below. */
const LETTERS_PER_PIECE = 1.7;

const isWord = (letters: number, pieces: number) => pieces > 0 && letters >= LETTERS_PER_PIECE * pieces;
