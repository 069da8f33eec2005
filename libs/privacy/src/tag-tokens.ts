import { CLOSING_BRACKET, INVISIBLE, OPENING_BRACKET } from './ignorable.js';

export type TagFamily = 'private' | 'context' | 'reminder';

export interface TagToken {
  family: TagFamily;
  kind: 'open' | 'close' | 'self-closing';
  /** True when the tag begins with a plain `<`, so it is a tag and not quoted text. */
  isRaw: boolean;
  start: number;
  end: number;
}

const FAMILIES: Readonly<Record<string, TagFamily>> = {
  private: 'private',
  'claude-mem-context': 'context',
  'system-reminder': 'reminder',
  hook_context: 'reminder',
  'hook-context': 'reminder',
};
const MAX_NAME_LENGTH = Math.max(...Object.keys(FAMILIES).map((name) => name.length));
const MAX_ATTRIBUTES_LENGTH = 4_096;

const openingBracket = new RegExp(OPENING_BRACKET, 'g');
const closingBracket = new RegExp(`/?(?:${CLOSING_BRACKET})`, 'y');
const bracket = new RegExp(`(?:${CLOSING_BRACKET})|(?:${OPENING_BRACKET})`, 'g');
/** Matches white space and invisible characters, also as a backslash and a letter in a JSON string. */
const blanks = new RegExp(`(?:[\\s${INVISIBLE}]|\\\\{1,8}(?:[nrt]|u200[b-fB-F]|u[fF][eE][fF][fF]))*`, 'y');
/**
 * Matches characters inside a name: invisible characters, or a line break with the following indentation. Other white
 * space ends a name.
 */
const breaks = new RegExp(
  `(?:[${INVISIBLE}]|[\\r\\n\\u2028\\u2029][ \\t]*|\\\\{1,8}(?:[nr]|u200[b-fB-F]|u[fF][eE][fF][fF]))*`,
  'y',
);

/** Matches most names quickly. A name with hidden characters is read letter by letter. */
const plainName = new RegExp(`(?:${Object.keys(FAMILIES).join('|')})(?=[>\\s/])`, 'iy');

/** Finds all tags of the families in order, in one pass. No part of the text is read more than a few times. */
export function readTagTokens(text: string): TagToken[] {
  const tokens: TagToken[] = [];
  openingBracket.lastIndex = 0;
  for (let match = openingBracket.exec(text); match !== null; match = openingBracket.exec(text)) {
    const token = readTag(text, match.index, openingBracket.lastIndex);
    if (token === null) continue;
    tokens.push(token);
    openingBracket.lastIndex = token.end;
  }
  return tokens;
}

function readTag(text: string, start: number, afterBracket: number): TagToken | null {
  let at = skip(blanks, text, afterBracket);
  let isClosing = false;
  while (isSlash(text.charCodeAt(at))) {
    isClosing = true;
    at = skip(blanks, text, at + 1);
  }
  const name = readName(text, at);
  if (name === null) return null;
  const family = FAMILIES[name.text];
  if (family === undefined) return null;
  const end = findTagEnd(text, name.end);
  // `a < private` without a closing bracket is a comparison.
  if (end.at === name.end && !isClosing && at > afterBracket) return null;
  const kind = isClosing ? 'close' : end.isSelfClosing ? 'self-closing' : 'open';
  return { family, kind, isRaw: afterBracket - start === 1, start, end: end.at };
}

function readName(text: string, start: number): { text: string; end: number } | null {
  plainName.lastIndex = start;
  const plain = plainName.exec(text);
  if (plain !== null) return { text: plain[0].toLowerCase(), end: plainName.lastIndex };
  let name = '';
  let at = start;
  for (;;) {
    const letter = toNameCharacter(text.charCodeAt(at));
    if (letter === '') break;
    name += letter;
    if (name.length > MAX_NAME_LENGTH) return null;
    at += 1;
    const next = skip(breaks, text, at);
    if (next > at && toNameCharacter(text.charCodeAt(next)) !== '' && name in FAMILIES) break;
    at = next;
  }
  return name === '' ? null : { text: name, end: at };
}

/** A tag ends at its bracket. A tag without a bracket ends with its name, because all text after it is removed. */
function findTagEnd(text: string, nameEnd: number): { at: number; isSelfClosing: boolean } {
  if (text[nameEnd] === '>') return { at: nameEnd + 1, isSelfClosing: false };
  const afterBlanks = skip(blanks, text, nameEnd);
  closingBracket.lastIndex = afterBlanks;
  if (closingBracket.test(text)) {
    return { at: closingBracket.lastIndex, isSelfClosing: text.charCodeAt(afterBlanks) === SLASH };
  }
  bracket.lastIndex = afterBlanks;
  const next = bracket.exec(text);
  const isClosed =
    next !== null && next.index - afterBlanks <= MAX_ATTRIBUTES_LENGTH && isClosingBracket(next[0]);
  if (!isClosed) return { at: nameEnd, isSelfClosing: false };
  return { at: bracket.lastIndex, isSelfClosing: text.charCodeAt(next.index - 1) === SLASH };
}

function isClosingBracket(found: string): boolean {
  closingBracket.lastIndex = 0;
  return closingBracket.test(found);
}

function skip(pattern: RegExp, text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit > 0x20 && unit < 0x7f && unit !== BACKSLASH) return at;
  pattern.lastIndex = at;
  pattern.test(text);
  return Math.max(at, pattern.lastIndex);
}

/**
 * Returns an ASCII or full-width letter, hyphen or underscore as lower-case ASCII, or an empty string for other
 * characters.
 */
function toNameCharacter(unit: number): string {
  const folded = unit >= 0xff01 && unit <= 0xff5e ? unit - 0xfee0 : unit;
  if (folded >= 0x61 && folded <= 0x7a) return String.fromCharCode(folded);
  if (folded >= 0x41 && folded <= 0x5a) return String.fromCharCode(folded + 0x20);
  if (folded >= 0x30 && folded <= 0x39) return String.fromCharCode(folded);
  return folded === 0x2d ? '-' : folded === 0x5f ? '_' : '';
}

const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const isSlash = (unit: number) => unit === SLASH || unit === 0xff0f;
