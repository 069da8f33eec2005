import { sliceCharacters } from '@claude-mem/core';
import { LONGEST_PATH } from './scan-text.js';

/**
 * Returns the terms of a file in the field `files`, ignoring case. `reversed` contains the path segments from the
 * last to the first after two `/`, each followed by `/`, so that the end of a path is a range of terms.
 */
export interface FileTerms {
  /** The path after one `/`. */
  complete: string;
  reversed: string;
  /** Every folder of the path from the root on, with a trailing `/`, and the path itself when it ends with `/`. */
  folders: readonly string[];
}

export function fileTerms(path: string): FileTerms {
  const plain = path.replaceAll('\\', '/').replace(/^\.\//, '');
  const names = plain.toWellFormed().normalize('NFC').toLowerCase().split('/').filter(Boolean);
  const inFolders = plain.endsWith('/') ? names : names.slice(0, -1);
  let folder = '/';
  return {
    complete: sliceCharacters(`/${names.join('/')}`, 0, LONGEST_PATH),
    reversed: sliceCharacters(`//${[...names].reverse().join('/')}/`, 0, LONGEST_PATH),
    folders: inFolders
      .slice(0, MOST_FOLDERS)
      .map((name) => (folder += `${name}/`))
      .filter(({ length }) => length <= LONGEST_PATH),
  };
}

const MOST_FOLDERS = 32;

/** Returns the term of a complete concept in the field `labels`, ignoring case. */
export function labelTerm(label: string): string {
  return `#${sliceCharacters(label.trim().toWellFormed().normalize('NFC').toLowerCase(), 0, LONGEST_PATH)}`;
}
