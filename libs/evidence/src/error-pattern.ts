import { truncate } from '@claude-mem/core';
import { isFileName } from './declarations.js';
import { reportsOnlyFailure } from './error-line.js';

/** Maximum length of an error in a fact, in UTF-16 code units. */
const MAX_ERROR_LENGTH = 140;
/** Maximum length of an error that is compared, in UTF-16 code units. */
const MAX_COMPARED_LENGTH = 1_000;
/** Minimum length of a truncated quoted value that is compared, in UTF-16 code units. */
const MIN_PREFIX_LENGTH = 20;

/** An error without the parts that differ between two occurrences. */
export interface ErrorPattern {
  /**
   * The error with `…` for numbers, files, addresses, ids, times and quoted values. Other paths are reduced to their
   * last name.
   */
  text: string;
  /** Quoted values in lower case, in order of appearance. Empty when the error only reports that a step failed. */
  values: ReadonlySet<string>;
  /** File paths in lower case. Empty when the error only reports that a step failed. */
  files: ReadonlySet<string>;
  /**
   * True when the end of the error is missing. `text` then ends with the last full word, and a truncated value ends
   * with `…`.
   */
  isTruncated: boolean;
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

/** Shortens an error for a fact and replaces the characters that would end the quotation. */
export function formatQuotableError(error: string): string {
  return truncate(error.replaceAll('“', '‘').replaceAll('”', '’'), MAX_ERROR_LENGTH);
}

const withSingleQuotes = (text: string) => text.replace(/[“”"]/g, "'");

/** Reads the pattern of an error from the output of a command or from a fact. */
export function readErrorPattern(error: string): ErrorPattern {
  const values = new Set<string>();
  const files = new Set<string>();
  const add = (names: Set<string>, name: string) => {
    if (/\p{L}/u.test(name)) names.add(name.toLowerCase());
    return '…';
  };
  const known = truncate(withSingleQuotes(error), MAX_COMPARED_LENGTH).replace(/[‘’]/g, "'");
  const isTruncated = /\S…$/.test(known);
  const masked = (isTruncated ? known.slice(0, known.search(/\S+$/)) : known)
    .replace(ADDRESS, '…')
    .replace(ID, '…')
    .replace(QUOTED, (_, single?: string, code?: string) => add(values, single ?? code ?? ''));
  const prefix = isTruncated ? OPEN_QUOTE.exec(known.slice(0, -1).replace(QUOTED, '…'))?.[1] : undefined;
  if (prefix !== undefined && prefix.length >= MIN_PREFIX_LENGTH) add(values, `${prefix}…`);
  const text = (isTruncated ? masked.replace(OPEN_QUOTE, '') : masked)
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
  if (reportsOnlyFailure(known)) return { text, values: new Set(), files: new Set(), isTruncated };
  return { text, values, files, isTruncated };
}

/** A pattern with fewer words does not identify an error. */
const MIN_WORDS = 3;

/**
 * Returns true when two errors are occurrences of the same error. The pattern and the quoted values must be equal. If
 * either error contains a file, both must have a file in common. Errors with neither a value nor a file are never the
 * same. Truncated errors are compared by their beginnings.
 */
export function isSameError(left: ErrorPattern, right: ErrorPattern): boolean {
  const isSameText = left.text === right.text || isPrefix(left, right) || isPrefix(right, left);
  if (!isSameText || !hasWords(left) || !hasWords(right)) return false;
  const [part, other] = left.values.size <= right.values.size ? [left, right] : [right, left];
  const values = [...other.values];
  const hasSameValues =
    (part.isTruncated || part.values.size === values.length) &&
    [...part.values].every((value, index) => isSameValue(value, values[index] ?? ''));
  if (left.files.size + right.files.size === 0) return hasSameValues && part.values.size > 0;
  return (
    hasSameValues && [...left.files].some((file) => [...right.files].some((one) => isSameFile(file, one)))
  );
}

const hasWords = ({ text }: ErrorPattern) => (text.match(/\p{L}{2,}/gu) ?? []).length >= MIN_WORDS;

const isPrefix = ({ text, isTruncated }: ErrorPattern, other: ErrorPattern) =>
  isTruncated && other.text.startsWith(`${text} `);

/** One path can be absolute, or relative to another folder. */
function isSameFile(left: string, right: string): boolean {
  return `/${left}`.endsWith(`/${right}`) || `/${right}`.endsWith(`/${left}`);
}

function isSameValue(left: string, right: string): boolean {
  const startsWith = (name: string, other: string) =>
    other.length > MIN_PREFIX_LENGTH && other.endsWith('…') && name.startsWith(other.slice(0, -1));
  return left === right || startsWith(left, right) || startsWith(right, left);
}
