import { wordsOf } from '../analysis/words-of.js';

/** Longer expressions are not read as FTS5 syntax. */
const LONGEST = 10_000;

const TOKEN = /\s+|"((?:[^"]|"")*)"|([(){}:*+^,])|([^\s"(){}:*+^,]+)/gy;

/**
 * Replaces every word of an FTS5 expression by its index form. Operators, columns, `NEAR`, `^` and `*` are kept, and
 * a word or phrase becomes the phrase of its words. Null for an unclosed quote. FTS5 itself reports other errors.
 */
export function translateSyntax(query: string): string | null {
  const tokens = query.length > LONGEST ? null : split(query);
  if (tokens === null) return null;
  const parts: string[] = [];
  let inColumns = false;
  tokens.forEach((token, place) => {
    const { kind, text } = token;
    const next = tokens[place + 1]?.text;
    if (kind === 'sign') {
      inColumns = text === '{' || (inColumns && text !== '}');
      parts.push(text);
    } else if (kind === 'phrase') parts.push(phraseOf(text));
    else if (/^(?:AND|OR|NOT)$/.test(text) || (text === 'NEAR' && next === '(')) parts.push(text);
    else if (/^\d+$/.test(text) && tokens[place - 1]?.text === ',') parts.push(text);
    else if (text === '-' && (next === '{' || tokens[place + 2]?.text === ':')) parts.push(text);
    else if ((inColumns || next === ':') && /^-?[a-z_]+$/i.test(text)) parts.push(columnOf(text));
    else parts.push(phraseOf(text));
  });
  return parts.join(' ');
}

/** A word that a record must contain, or its prefix. */
export interface RequiredWord {
  term: string;
  isBeginning: boolean;
}

/**
 * Returns the words of an expression that consists only of required words, at least one of them with `*`. Null for
 * any other expression. FTS5 needs long to collect and rank all records with a short prefix.
 */
export function readBeginnings(query: string): readonly RequiredWord[] | null {
  const tokens = query.length > LONGEST ? null : split(query);
  if (tokens === null) return null;
  const words: RequiredWord[] = [];
  let isOpen = true;
  for (const { kind, text } of tokens) {
    const last = words.at(-1);
    if (kind === 'sign') {
      if (text !== '*' || isOpen || !last || last.isBeginning) return null;
      last.isBeginning = true;
    } else if (kind === 'word' && text === 'AND') {
      if (isOpen) return null;
      isOpen = true;
    } else {
      const [term, ...more] = wordsOf(text);
      if (term === undefined || more.length > 0 || /^(?:OR|NOT|NEAR)$/.test(text)) return null;
      words.push({ term, isBeginning: false });
      isOpen = false;
    }
  }
  return !isOpen && words.some(({ isBeginning }) => isBeginning) ? words : null;
}

/** Aliases of the fields. */
const COLUMNS: ReadonlyMap<string, string> = new Map([
  ['subtitle', 'title'],
  ['concepts', 'labels'],
  ['type', 'labels'],
]);

function columnOf(text: string): string {
  const name = text.replace('-', '').toLowerCase();
  return `${text.startsWith('-') ? '- ' : ''}${COLUMNS.get(name) ?? name}`;
}

interface Token {
  kind: 'phrase' | 'sign' | 'word';
  text: string;
}

function split(query: string): readonly Token[] | null {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of query.matchAll(TOKEN)) {
    end = match.index + match[0].length;
    const [, phrase, sign, word] = match;
    if (phrase !== undefined) tokens.push({ kind: 'phrase', text: phrase.replaceAll('""', '"') });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
  }
  return end === query.length ? tokens : null;
}

const phraseOf = (text: string) => `"${wordsOf(text).join(' ').replaceAll('"', '""')}"`;
