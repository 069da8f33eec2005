import { stemmer as stemGreek } from '@orama/stemmers/greek';
import { stemmer as stemRussian } from '@orama/stemmers/russian';
import { stemmer as stemEnglish } from 'stemmer';

/**
 * The stem that a folded, lowercase word shares with its other forms. The script decides the language: Latin letters are stemmed
 * as English, Cyrillic ones as Russian, Greek ones as Greek. Words of other scripts, and words with digits or signs, stay.
 */
export function stemWord(word: string): string {
  const isShort = word.length <= LONGEST_REMEMBERED;
  const known = isShort ? stems.get(word) : undefined;
  if (known !== undefined) return known;
  const stemmer = STEMMERS.find(({ letters }) => letters.test(word));
  if (stemmer === undefined) return word;
  // a stemmer may return nothing for a word that consists of endings
  const stem = stemmer.stem(word) || word;
  if (!isShort) return stem;
  if (stems.size >= MOST_REMEMBERED) stems.clear();
  stems.set(word, stem);
  return stem;
}

/** The Russian stemmer keeps `ё`, which most texts write as `е`; folding has replaced `ё` already. */
const STEMMERS = [
  { letters: /^[a-z]{3,}$/, stem: stemEnglish },
  { letters: /^[а-я]{3,}$/, stem: stemRussian },
  { letters: /^[α-ω]{3,}$/, stem: stemGreek },
] as const;

/** Longer ones may be windows into the text they were cut from, and would keep all of it in memory. */
const LONGEST_REMEMBERED = 12;
const MOST_REMEMBERED = 20_000;
/** A pure function's answers: only speed depends on them. */
const stems = new Map<string, string>();
