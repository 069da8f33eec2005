import { stemmer } from 'stemmer';

/** What a folded, lowercased word has in common with its other forms; words that are not English letters stay. */
export function stemWord(word: string): string {
  const isShort = word.length <= LONGEST_REMEMBERED;
  const known = isShort ? stems.get(word) : undefined;
  if (known !== undefined) return known;
  if (!ENGLISH_LETTERS.test(word)) return word;
  if (!isShort) return stemmer(word);
  if (stems.size >= MOST_REMEMBERED) stems.clear();
  const stem = stemmer(word);
  stems.set(word, stem);
  return stem;
}

const ENGLISH_LETTERS = /^[a-z]{3,}$/;

/** Longer ones may be windows into the text they were cut from, and would keep all of it in memory. */
const LONGEST_REMEMBERED = 12;
const MOST_REMEMBERED = 20_000;
/** A pure function's answers: only speed depends on them. */
const stems = new Map<string, string>();
