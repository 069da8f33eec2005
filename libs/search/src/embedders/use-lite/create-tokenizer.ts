/** Splits text into the tokens of the model by SentencePiece's unigram rule: the split with the best sum of scores. */
export interface Tokenizer {
  /** Ids of the first tokens, at most `limit`. Empty for white space. */
  encode(text: string, limit: number): readonly number[];
}

/** The vocabulary of the model: `[piece, score]` by id. */
export function createTokenizer(vocabulary: readonly (readonly [string, number])[]): Tokenizer {
  const trie = buildTrie(vocabulary);
  const scores = Float64Array.from(vocabulary, ([, score]) => score);

  return {
    encode(text, limit) {
      const units = prepare(text, limit);
      const length = units.length;
      const best = new Float64Array(length + 1).fill(-Infinity);
      const from = new Int32Array(length + 1);
      const piece = new Int32Array(length + 1);
      best[0] = 0;
      for (let start = 0; start < length; start += 1) {
        const score = best[start] as number;
        if (score === -Infinity) continue;
        let isKnown = false;
        let node: number | undefined = 0;
        for (let end = start; end < length;) {
          node = trie.steps.get(node * UNITS + units.charCodeAt(end));
          if (node === undefined) break;
          end += 1;
          const id = trie.ids[node];
          if (id === undefined) continue;
          if (end === start + 1) isKnown = true;
          const sum = score + (scores[id] as number);
          if (sum <= (best[end] as number)) continue;
          best[end] = sum;
          from[end] = start;
          piece[end] = id;
        }
        if (isKnown || score + UNKNOWN_SCORE <= (best[start + 1] as number)) continue;
        best[start + 1] = score + UNKNOWN_SCORE;
        from[start + 1] = start;
        piece[start + 1] = UNKNOWN;
      }
      return walkBack(from, piece, length).slice(0, limit);
    },
  };
}

const UNITS = 0x1_0000;
const UNKNOWN = 0;
const UNKNOWN_SCORE = -20;
/** Lower ids are special tokens of the model. */
const FIRST_PIECE = 6;
/** No piece is longer, so text beyond `limit` such pieces is not read. */
const LONGEST_PIECE = 16;

interface Trie {
  /** Maps node * 65,536 + code unit to the next node. 0 is the root. */
  steps: ReadonlyMap<number, number>;
  /** The piece that ends at a node. */
  ids: readonly (number | undefined)[];
}

function buildTrie(vocabulary: readonly (readonly [string, number])[]): Trie {
  const steps = new Map<number, number>();
  const ids: (number | undefined)[] = [undefined];
  for (let id = FIRST_PIECE; id < vocabulary.length; id += 1) {
    const [text] = vocabulary[id] as readonly [string, number];
    let node = 0;
    for (let index = 0; index < text.length; index += 1) {
      const step = node * UNITS + text.charCodeAt(index);
      const next = steps.get(step) ?? ids.push(undefined) - 1;
      steps.set(step, next);
      node = next;
    }
    ids[node] = id;
  }
  return { steps, ids };
}

/** NFKC, with one marker before each word. Text beyond the limit is cut before any work. */
function prepare(text: string, limit: number): string {
  const room = (limit + 1) * LONGEST_PIECE * 2;
  const words = text.slice(0, room).normalize('NFKC').replace(/\s+/g, ' ').trim().slice(0, room);
  return words === '' ? '' : `▁${words.replaceAll(' ', '▁')}`;
}

/** Adjacent unknown characters count as one piece. */
function walkBack(from: Int32Array, piece: Int32Array, length: number): number[] {
  const ids: number[] = [];
  for (let end = length; end > 0; end = from[end] as number) {
    const id = piece[end] as number;
    if (id !== UNKNOWN || ids.at(-1) !== UNKNOWN) ids.push(id);
  }
  return ids.reverse();
}
