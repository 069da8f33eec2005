import { foldText } from './fold-text.js';
import { stemWord } from './stem-word.js';

/** Maximum length of a word term in UTF-16 code units. Longer words are cut. */
const LONGEST_WORD = 64;
/** Maximum length of a path term. */
export const LONGEST_PATH = 512;

export interface TextSink {
  /** A folded and stemmed word in its position. `isPart`: its compound is reported before or after it. */
  word(term: string, isPart: boolean): void;
  /** A compound of several words: `userid` of `userId` and `user_id`, `router.ts`, `src/api/router.ts`, `1.2.3`. */
  compound(term: string): void;
  /**
   * An alternative form of a word: `python` of `python3`, `100` of `100%`, one character of a run of CJK characters.
   */
  piece(term: string): void;
}

/**
 * Finds the words of a text in one pass. Words are runs of letters and digits. Identifiers, paths and versions are
 * reported as compounds and in parts. Scripts without spaces are split into overlapping pairs of characters. Emoji
 * are words.
 */
export function scanText(text: string, sink: TextSink): void {
  const folded = foldText(text);
  let at = 0;
  while (at < folded.length) {
    const sign = signAt(folded, at);
    if (sign === OTHER) at += 1;
    else if (sign === PAIRED) at = scanPairs(folded, at, sink);
    else if (sign === EMOJI) at = scanEmoji(folded, at, sink);
    else at = scanCompound(folded, at, sink);
  }
}

const OTHER = 0;
const DIGIT = 1;
const LOWER = 2;
const UPPER = 3;
/** True for a script without spaces. */
const PAIRED = 4;
const EMOJI = 5;
type Sign = 0 | 1 | 2 | 3 | 4 | 5;

const ASCII_SIGNS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\d/.test(character)) return DIGIT;
  if (/[a-z]/.test(character)) return LOWER;
  return /[A-Z]/.test(character) ? UPPER : OTHER;
});

function signAt(text: string, at: number): Sign {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return (ASCII_SIGNS[unit] ?? OTHER) as Sign;
  if (isPairedCode(unit)) return PAIRED;
  if (unit >= 0xdc00 && unit <= 0xdfff) return OTHER;
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (!/[\p{L}\p{M}\p{N}\p{So}]/u.test(character)) return OTHER;
  if (/[\p{Lu}\p{Lt}]/u.test(character)) return UPPER;
  if (/[\p{L}\p{M}]/u.test(character))
    return character.length > 1 && /\p{Script=Han}/u.test(character) ? PAIRED : LOWER;
  if (/\p{N}/u.test(character)) return DIGIT;
  return /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u.test(character) ? EMOJI : OTHER;
}

/** Thai, Lao, Tibetan, Myanmar, Khmer; kana, Han and Hangul. */
function isPairedCode(unit: number): boolean {
  if (unit < 0x0e01) return false;
  if (unit < 0x3005)
    return (
      (unit <= 0x0ecd && unit !== 0x0e3f && unit !== 0x0e4f) ||
      (unit >= 0x0f40 && unit <= 0x0fbc) ||
      (unit >= 0x1000 && unit <= 0x109f) ||
      (unit >= 0x1780 && unit <= 0x17d3)
    );
  return (
    unit <= 0x3007 ||
    (unit >= 0x3041 && unit <= 0x31ff && unit !== 0x30fb) ||
    (unit >= 0x3400 && unit <= 0x4dbf) ||
    (unit >= 0x4e00 && unit <= 0xa4cf) ||
    (unit >= 0xac00 && unit <= 0xd7ff) ||
    (unit >= 0xf900 && unit <= 0xfaff)
  );
}

function scanPairs(text: string, start: number, sink: TextSink): number {
  let at = start;
  let previous = '';
  let isAlone = true;
  while (at < text.length && signAt(text, at) === PAIRED) {
    const end = endOfCluster(text, at);
    const cluster = text.slice(at, end);
    if (previous !== '') {
      sink.word(previous + cluster, false);
      if (isAlone) sink.piece(previous);
      sink.piece(cluster);
      isAlone = false;
    }
    previous = cluster;
    at = end;
  }
  if (isAlone) sink.word(previous, false);
  return at;
}

/** A character with its vowel signs and tone marks. */
function endOfCluster(text: string, start: number): number {
  let end = start + sizeAt(text, start);
  while (end < text.length && end - start < 8 && text.charCodeAt(end) > 0x7f && MARK.test(text.charAt(end)))
    end += 1;
  return end;
}

const MARK = /\p{M}/u;

function scanEmoji(text: string, start: number, sink: TextSink): number {
  const size = sizeAt(text, start);
  const end = start + size;
  const isFlag = isRegionalIndicator(text, start) && isRegionalIndicator(text, end);
  const stop = isFlag ? end + size : end;
  sink.word(text.slice(start, stop), false);
  return stop;
}

const isRegionalIndicator = (text: string, at: number) => {
  const code = text.codePointAt(at) ?? 0;
  return code >= 0x1f1e6 && code <= 0x1f1ff;
};

const sizeAt = (text: string, at: number) => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

const isWordSign = (sign: Sign) => sign !== OTHER && sign < PAIRED;

/** Words that are joined by characters: `src/api/router.ts:12`, `user_id`, `don't`. */
function scanCompound(text: string, start: number, sink: TextSink): number {
  let end = endOfWord(text, start);
  let next = endOfJoint(text, end);
  if (next === end) return scanSigned(text, start, end, sink);
  while (next !== end) {
    end = endOfWord(text, next);
    next = endOfJoint(text, end);
  }
  for (const path of text.slice(start, end).split(LOOSE_JOINTS)) scanPath(path, sink);
  return end;
}

const LOOSE_JOINTS = /[:@+&#=~]+/;

/** Returns the start of the next word when a character joins it to the current one, or else the same position. */
function endOfJoint(text: string, end: number): number {
  const joint = text.charCodeAt(end);
  if (!(joint < 0x80 ? JOINTS.has(joint) : joint === 0x2019)) return end;
  const next = joint === COLON && text.charCodeAt(end + 1) === COLON ? end + 2 : end + 1;
  return next < text.length && isWordSign(signAt(text, next)) ? next : end;
}

const JOINTS = new Set(Array.from("_-./\\:@+&#=~'", (joint) => joint.charCodeAt(0)));
const COLON = 0x3a;
const PLUS = 0x2b;
const HASH = 0x23;
const PERCENT = 0x25;

function endOfWord(text: string, start: number): number {
  let end = start;
  while (end < text.length && isWordSign(signAt(text, end))) end += sizeAt(text, end);
  return end;
}

/** A single word with the characters of a name or a number: `C++`, `F#`, `100%`. */
function scanSigned(text: string, start: number, end: number, sink: TextSink): number {
  const sign = text.charCodeAt(end);
  if (sign === PERCENT && isDigit(text.charCodeAt(end - 1))) return signed(end + 1);
  if (end - start <= 2 && sign === PLUS && text.charCodeAt(end + 1) === PLUS) return signed(end + 2);
  if (end - start <= 2 && sign === HASH) return signed(end + 1);
  scanWord(text.slice(start, end), sink, false);
  return end;

  function signed(stop: number): number {
    sink.word(text.slice(start, stop).toLowerCase(), false);
    sink.piece(text.slice(start, end).toLowerCase());
    return stop;
  }
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

function scanPath(path: string, sink: TextSink): void {
  const names = path.split(PATH_JOINTS);
  if (names.length > 1 && path.length <= LONGEST_PATH) sink.compound(names.join('/').toLowerCase());
  for (const name of names) {
    const atoms = name.split('.');
    const isCompound = atoms.length > 1 && name.length <= LONGEST_WORD;
    if (isCompound) sink.compound(name.toLowerCase());
    for (const atom of atoms) scanIdentifier(atom, sink, isCompound || names.length > 1);
  }
}

const PATH_JOINTS = /[/\\]/;

/** Words joined by a character, such as `user_id`, `pre-edit` and `don't`: the parts and the compound. */
function scanIdentifier(identifier: string, sink: TextSink, isPart: boolean): void {
  const joined = withoutShortEndings(identifier);
  const parts = joined.split(IDENTIFIER_JOINTS);
  if (parts.length === 1) return scanWord(joined, sink, isPart);
  const compound = parts.join('');
  const isCompound = compound.length <= LONGEST_WORD;
  if (isCompound) sink.compound(stemWord(compound.toLowerCase()));
  for (const part of parts) if (part !== '') scanWord(part, sink, isCompound || isPart);
}

const IDENTIFIER_JOINTS = /[_\-'’]+/;

/** `user's` becomes `user` and `don't` becomes `dont`, because the second part alone has no meaning. */
function withoutShortEndings(identifier: string): string {
  const at = Math.max(identifier.lastIndexOf("'"), identifier.lastIndexOf('’'));
  if (at < 0 || identifier.length - at > 3) return identifier;
  const ending = identifier.slice(at + 1);
  return identifier.slice(0, at) + (ending === 's' || ending === 'S' ? '' : ending);
}

/** One run of letters and digits, which may be `camelCase`. */
function scanWord(word: string, sink: TextSink, isPart: boolean): void {
  if (word.length > LONGEST_WORD) {
    sink.word(word.slice(0, LONGEST_WORD).toWellFormed().toLowerCase(), isPart);
    return;
  }
  const lowered = lowerCase(word);
  if (lowered === word) return plainWord(word, sink, isPart);
  const humps = word.match(HUMPS) ?? [];
  if (humps.length < 2) return plainWord(lowered, sink, isPart);
  sink.compound(stemWord(lowered));
  for (const hump of humps) plainWord(lowerCase(hump), sink, true);
}

/** Lowercases text, with the final form of sigma at the end of a word. */
function lowerCase(word: string): string {
  const lowered = word.toLowerCase();
  return lowered.endsWith('ς') ? `${lowered.slice(0, -1)}σ` : lowered;
}

/**
 * Splits `parseHTTPResponse2` into `parse`, `HTTP` and `Response2`. The plural of an acronym, as in `URLs`, is not
 * split.
 */
const HUMPS = /\p{Lu}{2,}s(?!\p{Ll})|\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}]+|\p{Lu}/gu;

function plainWord(word: string, sink: TextSink, isPart: boolean): void {
  sink.word(stemWord(word), isPart);
  const name = isDigit(word.charCodeAt(word.length - 1)) ? NAME_BEFORE_NUMBER.exec(word)?.[1] : undefined;
  if (name !== undefined) sink.piece(stemWord(name));
}

/** Returns `python` for `python3`. */
const NAME_BEFORE_NUMBER = /^([a-z]{3,})\d{1,3}$/;
