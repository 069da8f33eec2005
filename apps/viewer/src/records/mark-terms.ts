import { escapeRegExp } from '@claude-mem/core';
export interface TextPart {
  text: string;
  isMarked: boolean;
}

/**
 * Splits a text at words that start with one of the terms, ignoring case. The complete word is marked, because a term
 * can be a stem. The joined parts equal the text.
 */
export function markTerms(text: string, terms: readonly string[]): TextPart[] {
  const pattern = patternOf(terms);
  if (pattern === null) return [{ text, isMarked: false }];
  const parts: TextPart[] = [];
  let end = 0;
  for (const { from, to } of matchesIn(text, pattern)) {
    if (from > end) parts.push({ text: text.slice(end, from), isMarked: false });
    parts.push({ text: text.slice(from, to), isMarked: true });
    end = to;
  }
  if (end < text.length || parts.length === 0) parts.push({ text: text.slice(end), isMarked: false });
  return parts;
}

/** Returns a part of a long text that contains its first term. */
export function excerptOf(text: string, terms: readonly string[], length: number): string {
  if (text.length <= length) return text;
  const pattern = patternOf(terms);
  const at = pattern === null ? -1 : (matchesIn(text, pattern).next().value?.from ?? -1);
  if (at < 0 || at < length - MARGIN) return `${text.slice(0, length).trimEnd()}…`;
  const blank = text.indexOf(' ', at - MARGIN);
  const from = blank === -1 || blank >= at ? at - MARGIN : blank + 1;
  const excerpt = text.slice(from, from + length);
  return `…${excerpt.trim()}${from + length < text.length ? '…' : ''}`;
}

/** Number of characters before the first term in an excerpt. */
const MARGIN = 60;
const MAX_TERMS = 100;
const WORD_BEFORE = /[\p{L}\p{N}]$/u;
const REST_OF_WORD = /[\p{L}\p{N}]*/uy;
const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

let latest: { terms: readonly string[]; pattern: RegExp | null } | null = null;

/** Caches the pattern, because all texts of a response are marked with the same terms. */
function patternOf(terms: readonly string[]): RegExp | null {
  if (latest?.terms !== terms) latest = { terms, pattern: buildPattern(terms) };
  return latest.pattern;
}

function buildPattern(terms: readonly string[]): RegExp | null {
  const words = [...new Set(terms.map((term) => term.trim()).filter((term) => term !== ''))]
    .sort((one, other) => other.length - one.length)
    .slice(0, MAX_TERMS)
    .map(escapeRegExp);
  return words.length === 0 ? null : new RegExp(words.join('|'), 'giu');
}

/**
 * Checks word boundaries with two constant patterns. A pattern per response that includes them takes milliseconds to
 * compile.
 */
function* matchesIn(text: string, pattern: RegExp): Generator<{ from: number; to: number }, undefined> {
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const { index: from } = found;
    let to = pattern.lastIndex;
    if (!IDEOGRAPHS.test(found[0])) {
      if (WORD_BEFORE.test(text.slice(Math.max(0, from - 2), from))) {
        pattern.lastIndex = from + 1;
        continue;
      }
      REST_OF_WORD.lastIndex = to;
      REST_OF_WORD.exec(text);
      to = Math.max(to, REST_OF_WORD.lastIndex);
    }
    pattern.lastIndex = to;
    yield { from, to };
  }
}
