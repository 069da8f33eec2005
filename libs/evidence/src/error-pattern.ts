import { truncate } from '@claude-mem/core';
import { isFileName } from './declarations.js';
import { reportsOnlyFailure } from './error-line.js';

/** The part of an error that facts contain. UTF-16 units. */
const LONGEST_ERROR = 140;
/** The part of an error that is compared. UTF-16 units. */
const LONGEST_COMPARED = 1_000;
/** A quoted value without its end is only compared from this length. UTF-16 units. */
const SHORTEST_BEGINNING = 20;

/** An error without what differs between two occurrences. */
export interface ErrorPattern {
  /** The error with `…` for numbers, files, addresses, ids, times and quoted values. Other paths are replaced with their last name. */
  text: string;
  /** Quoted values, in lower case and in their order. Empty when the error only reports that a step failed. */
  values: ReadonlySet<string>;
  /** Paths of files, in lower case. Empty when the error only reports that a step failed. */
  files: ReadonlySet<string>;
  /** True when the end of the error is missing. `text` ends with the last full word, and a value without its end ends with `…`. */
  isCut: boolean;
}

const ADDRESS =
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s'`)\]>]+|(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+|\b\d{1,3}(?:\.\d{1,3}){3}\b|\blocalhost\b/gi;
const ID =
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b0x[0-9a-f]+\b|\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b/gi;
const QUOTED = /(?<!\w)'([^']{1,200})'(?!\w)|`([^`]{1,200})`/g;
const PATH =
  /(?:~|\.{1,2}|[A-Za-z]:)?(?:[\\/][\w.@+-]+)+[\\/]?|[\w.@+-]+(?:[\\/][\w.@+-]+)+[\\/]?|\b[\w-]+\.[a-z]{1,5}(?=[:,\s]|\(\d|$)/g;
const TIME =
  /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?\b|\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b/g;
const NUMBER = /(?<!\w)\d+(?:[.,]\d+)*(?:[a-z]{1,3}\b)?/g;

const OPEN_QUOTE = /(?<!\w)['`]([^'`]*)$/;

/** The part of an error that a fact contains, in characters that can stand within quotation marks. */
export function quotableError(error: string): string {
  return truncate(error.replaceAll('“', '‘').replaceAll('”', '’'), LONGEST_ERROR);
}

const withSingleQuotes = (text: string) => text.replace(/[“”"]/g, "'");

/** Reads the pattern of an error, as a command printed it or as a fact contains it. */
export function readErrorPattern(error: string): ErrorPattern {
  const values = new Set<string>();
  const files = new Set<string>();
  const add = (names: Set<string>, name: string) => {
    if (/\p{L}/u.test(name)) names.add(name.toLowerCase());
    return '…';
  };
  const known = truncate(withSingleQuotes(error), LONGEST_COMPARED).replace(/[‘’]/g, "'");
  const isCut = /\S…$/.test(known);
  const masked = (isCut ? known.slice(0, known.search(/\S+$/)) : known)
    .replace(ADDRESS, '…')
    .replace(ID, '…')
    .replace(QUOTED, (_, single?: string, code?: string) => add(values, single ?? code ?? ''));
  const beginning = isCut ? OPEN_QUOTE.exec(known.slice(0, -1).replace(QUOTED, '…'))?.[1] : undefined;
  if (beginning !== undefined && beginning.length >= SHORTEST_BEGINNING) add(values, `${beginning}…`);
  const text = (isCut ? masked.replace(OPEN_QUOTE, '') : masked)
    .replace(PATH, (path) => {
      const name = path.split(/[\\/]/).findLast((part) => part !== '') ?? '';
      if (isFileName(name)) return add(files, path.replaceAll('\\', '/').replace(/^[./]+\//, ''));
      return /\p{L}/u.test(name) ? name : '…';
    })
    .replace(TIME, '…')
    .replace(NUMBER, '…')
    .replace(/\(…(?:[,:]…)*\)/g, '…')
    .replace(/…(?:[\s:,;.()[\]{}-]*…)+/g, '…')
    .replace(/\s+/g, ' ')
    .trim();
  if (reportsOnlyFailure(known)) return { text, values: new Set(), files: new Set(), isCut };
  return { text, values, files, isCut };
}

/** Words without which a pattern describes no particular error. */
const FEWEST_WORDS = 3;

/**
 * Whether two errors are occurrences of the same one: the same pattern, the same quoted values in the same order, and a common file if
 * either error contains a file. Errors with neither a value nor a file are never the same. If the end of an error is missing, the beginnings
 * are compared.
 */
export function isSameError(left: ErrorPattern, right: ErrorPattern): boolean {
  const isSameText = left.text === right.text || isBeginning(left, right) || isBeginning(right, left);
  if (!isSameText || !hasWords(left) || !hasWords(right)) return false;
  const [part, other] = left.values.size <= right.values.size ? [left, right] : [right, left];
  const values = [...other.values];
  const hasSameValues =
    (part.isCut || part.values.size === values.length) &&
    [...part.values].every((value, index) => isSameValue(value, values[index] ?? ''));
  if (left.files.size + right.files.size === 0) return hasSameValues && part.values.size > 0;
  return (
    hasSameValues && [...left.files].some((file) => [...right.files].some((one) => isSameFile(file, one)))
  );
}

const hasWords = ({ text }: ErrorPattern) => (text.match(/\p{L}{2,}/gu) ?? []).length >= FEWEST_WORDS;

const isBeginning = ({ text, isCut }: ErrorPattern, other: ErrorPattern) =>
  isCut && other.text.startsWith(`${text} `);

/** One path can be absolute, or relative to another folder. */
function isSameFile(left: string, right: string): boolean {
  return `/${left}`.endsWith(`/${right}`) || `/${right}`.endsWith(`/${left}`);
}

function isSameValue(left: string, right: string): boolean {
  const startsWith = (name: string, other: string) =>
    other.length > SHORTEST_BEGINNING && other.endsWith('…') && name.startsWith(other.slice(0, -1));
  return left === right || startsWith(left, right) || startsWith(right, left);
}
