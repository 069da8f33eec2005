import { stemmer as stemFrench } from '@orama/stemmers/french';
import { stemmer as stemGerman } from '@orama/stemmers/german';
import { stemmer as stemItalian } from '@orama/stemmers/italian';
import { stemmer as stemPortuguese } from '@orama/stemmers/portuguese';
import { stemmer as stemSpanish } from '@orama/stemmers/spanish';
import { stemmer as stemTurkish } from '@orama/stemmers/turkish';
import { foldText } from './fold-text.js';
import { STOP_WORDS } from './stop-words.js';
import { stemWord } from './stem-word.js';

/** A language with Latin letters other than English. */
export type LatinLanguage = keyof typeof LANGUAGES;

/**
 * Folded stop words of two or more letters (single letters are variables in code), and letters that only this
 * language uses.
 */
const LANGUAGES = {
  de: {
    stem: stemGerman,
    letters: /[ßẞ]/g,
    stopWords:
      'auch auf aus bei das dem den der des die ein eine einem einen fur hat ist kann mit nach nicht nur oder sind und von wenn ' +
      'werden wird wurde zu zum zur',
  },
  es: {
    stem: stemSpanish,
    letters: /[ñ¿¡]/gi,
    stopWords:
      'al como con cuando de del el en es esta fue la las lo los mas no para pero por que se sin son su un una ya',
  },
  fr: {
    stem: stemFrench,
    letters: /œ/gi,
    stopWords:
      'au aux avec ce cette dans de des du elle en est et ete il la le les lors ne par pas pour quand que qui se sont sur un une',
  },
  it: {
    stem: stemItalian,
    letters: /(?!)/g,
    stopWords:
      'al che come con da dei del della delle di gli il in la le lo ma nel non per piu quando se si sono un una',
  },
  pt: {
    stem: stemPortuguese,
    letters: /[ãõ]/gi,
    stopWords: 'ao as com como da das de do dos em foi mais na nao no para por quando que sao se sem um uma',
  },
  tr: {
    stem: stemTurkish,
    letters: /[ğışİ]/gi,
    stopWords: 'ama bir bu cok daha de degil gibi icin ile ise kadar ne olan olarak sonra ve veya',
  },
} as const;

export const LATIN_LANGUAGES = Object.keys(LANGUAGES) as readonly LatinLanguage[];

const LANGUAGES_OF_STOP_WORD = new Map<string, LatinLanguage[]>();
for (const language of LATIN_LANGUAGES)
  for (const word of LANGUAGES[language].stopWords.split(' '))
    LANGUAGES_OF_STOP_WORD.set(word, [...(LANGUAGES_OF_STOP_WORD.get(word) ?? []), language]);

/** Length of the beginning of a text that is enough to detect its language. */
const INSPECTED_LENGTH = 2_000;
const MIN_STOP_WORDS = 2;

/** Detects the language of a text by its stop words and letters. Null for English, mixed and short texts. */
export function detectLatinLanguage(text: string): LatinLanguage | null {
  const begin = text.slice(0, INSPECTED_LENGTH);
  const counts = new Map<LatinLanguage, number>();
  let english = 0;
  for (const word of foldText(begin)
    .toLowerCase()
    .match(/[a-z]+/g) ?? []) {
    // A stop word of another language can have the stem of an English one.
    if (STOP_WORDS.has(word) && stemWord(word) === word) english += 1;
    for (const language of LANGUAGES_OF_STOP_WORD.get(word) ?? [])
      counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  let best: LatinLanguage | null = null;
  let most = Math.max(english, MIN_STOP_WORDS - 1);
  for (const language of LATIN_LANGUAGES) {
    const letters = begin.match(LANGUAGES[language].letters)?.length ?? 0;
    const count = (counts.get(language) ?? 0) + letters;
    if (count > most) [best, most] = [language, count];
  }
  return best;
}

/** Returns the lowercase words, with their accents, that a stemmer of a Latin language can shorten. */
export function latinWords(text: string): readonly string[] {
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/(?<![\p{L}\p{M}\p{N}_])[\p{L}\p{M}]{4,64}(?![\p{N}_])/gu) ?? [];
  return words.filter((word) => /^[a-z]+$/.test(foldText(word)));
}

/**
 * Returns the terms of a word in a record of this language: stemmed with its accents, because endings contain
 * accents, and stemmed without them, because queries are often typed without. No other term contains a tilde.
 */
export function latinStemTerms(language: LatinLanguage, word: string): readonly string[] {
  const { stem } = LANGUAGES[language];
  const folded = foldText(word);
  const stems = new Set([stem(folded) || folded, foldText(stem(word)) || folded]);
  return Array.from(stems, (form) => `${language}~${form}`);
}

/** The term of all records in this language. */
export function latinLanguageTerm(language: LatinLanguage): string {
  return `${language}~`;
}
