import { stemmer as stemGreek } from '@orama/stemmers/greek';
import { stemmer as stemRussian } from '@orama/stemmers/russian';
import { stemmer as stemEnglish } from 'stemmer';

/**
 * Returns the stem of a folded, lowercase word. The script selects the stemmer: English for Latin letters, Russian
 * for Cyrillic, Greek for Greek. Words of other scripts, and words with digits or other characters, are returned
 * unchanged.
 */
export function stemWord(word: string): string {
  const isShort = word.length <= LONGEST_REMEMBERED;
  const known = isShort ? stems.get(word) : undefined;
  if (known !== undefined) return known;
  const stemmer = STEMMERS.find(({ letters }) => letters.test(word));
  if (stemmer === undefined) return word;
  // A stemmer may return an empty string for a word that consists of endings.
  const stem = stemmer.stem(word) || word;
  if (!isShort) return stem;
  if (stems.size >= MOST_REMEMBERED) stems.clear();
  stems.set(word, stem);
  return stem;
}

/** The Russian stemmer expects `ё` for some words, but most texts contain `е`, and folding has replaced `ё`. */
const STEMMERS = [
  { letters: /^[a-z]{3,}$/, stem: stemEnglish },
  { letters: /^[а-я]{3,}$/, stem: stemRussian },
  { letters: /^[α-ω]{3,}$/, stem: stemGreek },
] as const;

/** A longer substring may reference the text from which it was cut, and keep all of it in memory. */
const LONGEST_REMEMBERED = 12;
const MOST_REMEMBERED = 20_000;
/** A cache of a pure function, which only affects speed. */
const stems = new Map<string, string>();
