import { wholeSlice } from '@claude-mem/core';
import { LONGEST_PATH } from './scan-text.js';

/**
 * The terms that stand for a file in the field `files`, whatever its case: its whole path after one `/`, so that a folder is
 * a range of terms, and after two its names from the last to the first, each with a `/` behind it, so that the end of
 * a path is one too.
 */
export function fileTerms(path: string): { whole: string; reversed: string } {
  const plain = path
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .toWellFormed()
    .normalize('NFC')
    .toLowerCase();
  const reversed = plain
    .split('/')
    .filter((name) => name !== '')
    .reverse()
    .join('/');
  return {
    whole: `/${wholeSlice(plain, 0, LONGEST_PATH)}`,
    reversed: `//${wholeSlice(`${reversed}/`, 0, LONGEST_PATH)}`,
  };
}

/** The term that stands for a whole concept in the field `labels`, whatever its case. */
export function labelTerm(label: string): string {
  return `#${wholeSlice(label.trim().toWellFormed().normalize('NFC').toLowerCase(), 0, LONGEST_PATH)}`;
}
