/**
 * Normalizes text for comparison and keeps the case: compatibility characters become plain ones, accents of alphabets
 * and zero-width characters are removed, lone surrogates become U+FFFD. Marks that are vowels or change a kana are
 * kept, and so is the breve of the Russian `й`, which a stemmer needs.
 */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .toWellFormed()
    .normalize('NFKD')
    .replace(ACCENTS_AND_INVISIBLE, '')
    .normalize('NFC')
    .replace(LETTERS_WITHOUT_ACCENT_FORM, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

// eslint-disable-next-line no-control-regex -- all of ASCII
const ASCII = /^[\u0000-\u007f]*$/;

/* eslint-disable no-misleading-character-class -- ranges of marks, each alone */
const ACCENTS_AND_INVISIBLE =
  /(?<![иИ])\u0306|[\u0300-\u0305\u0307-\u036f\u0591-\u05bd\u064b-\u065f\u0670\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff\u{1f3fb}-\u{1f3ff}\u{e0000}-\u{e007f}]/gu;
/* eslint-enable no-misleading-character-class */

const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};
const LETTERS_WITHOUT_ACCENT_FORM = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g');
