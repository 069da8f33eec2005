import { truncate } from '@claude-mem/core';
import { isFileName } from './declarations.js';

/** The part of an error that facts contain. UTF-16 units. */
const LONGEST_ERROR = 140;

/** An error without what differs between two occurrences. */
export interface ErrorPattern {
  /** The error with `…` for numbers, files, addresses, ids, times and quoted values. Other paths are only their last name. */
  text: string;
  /** Quoted values, in lower case. */
  values: ReadonlySet<string>;
  /** Names of files, in lower case. */
  files: ReadonlySet<string>;
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

/** The part of an error that a fact contains, in characters that can stand within quotation marks. */
export function quotableError(error: string): string {
  return truncate(error.replace(/[“”"]/g, "'"), LONGEST_ERROR);
}

/** Reads the pattern of an error, as a command printed it or as a fact contains it. */
export function readErrorPattern(error: string): ErrorPattern {
  const values = new Set<string>();
  const files = new Set<string>();
  const add = (names: Set<string>, name: string) => {
    if (/\p{L}/u.test(name)) names.add(name.toLowerCase());
    return '…';
  };
  const text = quotableError(error)
    .replace(/[‘’]/g, "'")
    .replace(ADDRESS, '…')
    .replace(ID, '…')
    .replace(QUOTED, (_, single?: string, code?: string) => add(values, single ?? code ?? ''))
    .replace(PATH, (path) => {
      const name = path.split(/[\\/]/).findLast((part) => part !== '') ?? '';
      return isFileName(name) || !/\p{L}/u.test(name) ? add(files, name) : name;
    })
    .replace(TIME, '…')
    .replace(NUMBER, '…')
    .replace(/…(?:[\s:,;.()[\]{}-]*…)+/g, '…')
    .replace(/\s+/g, ' ')
    .trim();
  return { text, values, files };
}

/** Words without which a pattern describes no particular error. */
const FEWEST_WORDS = 3;

/**
 * Whether two errors are occurrences of the same one: the same pattern, with a quoted value in common. Errors without quoted values
 * need a file name in common, if they have any.
 */
export function isSameError(left: ErrorPattern, right: ErrorPattern): boolean {
  if (left.text !== right.text || (left.text.match(/\p{L}{2,}/gu) ?? []).length < FEWEST_WORDS) return false;
  const hasValues = left.values.size + right.values.size > 0;
  const [names, others] = hasValues ? [left.values, right.values] : [left.files, right.files];
  return (names.size === 0 && others.size === 0) || [...names].some((name) => others.has(name));
}
