/** Checks whether the model knows a text, by its tokens. */
export interface KnownText {
  /**
   * Whether any token has a Latin letter. The model was trained on English, so vectors of other texts are arbitrary.
   */
  hasLetter(ids: readonly number[]): boolean;
  /**
   * Whether at least one word has tokens that are long enough. Vectors of very short tokens are close to each other
   * whatever they mean. False for a sentence in an unknown language.
   */
  hasWord(ids: readonly number[]): boolean;
}

/** The number of letters of a word that the model knows, per token. */
interface Word {
  letters: number;
  pieces: number;
}

/** The vocabulary of the model: `[piece, score]` by id. */
export function createKnownText(vocabulary: readonly (readonly [string, number])[]): KnownText {
  const startsWord = vocabulary.map(([piece]) => piece.startsWith(WORD_START));
  const letters = vocabulary.map(([piece], id) =>
    id === UNKNOWN ? 0 : (piece.match(/\p{Script=Latin}/gu)?.length ?? 0),
  );

  const wordsOf = (ids: readonly number[]): Word[] => {
    const words: Word[] = [{ letters: 0, pieces: 0 }];
    for (const id of ids) {
      if (startsWord[id]) words.push({ letters: 0, pieces: 0 });
      const word = words.at(-1)!;
      const more = letters[id] ?? 0;
      word.letters += more;
      if (more > 0 || id === UNKNOWN) word.pieces += 1;
    }
    return words.filter(({ pieces }) => pieces > 0);
  };

  return {
    hasLetter: (ids) => ids.some((id) => (letters[id] ?? 0) > 0),
    hasWord(ids) {
      const words = wordsOf(ids);
      // Words of another script are unknown tokens, which do not change the vector of the other words.
      const inScript = words.filter((word) => word.letters > 0);
      const isForeign =
        inScript.length >= SENTENCE_WORDS && !isRead(sumOf(inScript), SENTENCE_LETTERS_PER_PIECE);
      return !isForeign && words.some((word) => isRead(word, LETTERS_PER_PIECE));
    },
  };
}

const UNKNOWN = 0;
const WORD_START = '▁';
/** Known words have three letters per token or more; random letters have fewer. */
const LETTERS_PER_PIECE = 1.7;

/**
 * Several words of an unknown language have fewer, although single words may have more. One or two words can be names
 * from code, which also have few.
 */
const SENTENCE_LETTERS_PER_PIECE = 2;
const SENTENCE_WORDS = 4;

const isRead = ({ letters, pieces }: Word, perPiece: number) => letters >= perPiece * pieces;

const sumOf = (words: readonly Word[]): Word => ({
  letters: words.reduce((sum, { letters }) => sum + letters, 0),
  pieces: words.reduce((sum, { pieces }) => sum + pieces, 0),
});
