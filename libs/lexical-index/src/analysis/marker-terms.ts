import { wholeSlice } from '@claude-mem/core';
import { LONGEST_PATH } from './scan-text.js';

/**
 * The terms that stand for a file in the field `files`, whatever its case. `reversed` is after two `/` its names from the last to
 * the first, each with a `/` behind it, so that the end of a path is a range of terms.
 */
export interface FileTerms {
  /** The path after one `/`. */
  whole: string;
  reversed: string;
  /** Every folder that it is in, from the root on, with a `/` at its end; the path itself when it is written like one. */
  folders: readonly string[];
}

export function fileTerms(path: string): FileTerms {
  const plain = path.replaceAll('\\', '/').replace(/^\.\//, '');
  const names = plain.toWellFormed().normalize('NFC').toLowerCase().split('/').filter(Boolean);
  const inFolders = plain.endsWith('/') ? names : names.slice(0, -1);
  let folder = '/';
  return {
    whole: wholeSlice(`/${names.join('/')}`, 0, LONGEST_PATH),
    reversed: wholeSlice(`//${[...names].reverse().join('/')}/`, 0, LONGEST_PATH),
    folders: inFolders
      .slice(0, MOST_FOLDERS)
      .map((name) => (folder += `${name}/`))
      .filter(({ length }) => length <= LONGEST_PATH),
  };
}

const MOST_FOLDERS = 32;

/** The term that stands for a whole concept in the field `labels`, whatever its case. */
export function labelTerm(label: string): string {
  return `#${wholeSlice(label.trim().toWellFormed().normalize('NFC').toLowerCase(), 0, LONGEST_PATH)}`;
}
