import { wholeSlice } from '@claude-mem/core';
import { LONGEST_PATH } from './scan-text.js';

/**
 * The terms that stand for a file in the field `files`, whatever its case: its whole path after one `/` (so a folder is a range of terms),
 * and its base name after two.
 */
export function fileTerms(path: string): { whole: string; base: string } {
  const plain = path
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .toWellFormed()
    .normalize('NFC')
    .toLowerCase();
  return {
    whole: `/${wholeSlice(plain, 0, LONGEST_PATH)}`,
    base: `//${wholeSlice(plain.slice(plain.lastIndexOf('/') + 1), 0, LONGEST_PATH)}`,
  };
}

/** The term that stands for a whole concept in the field `labels`, whatever its case. */
export function labelTerm(label: string): string {
  return `#${wholeSlice(label.trim().toWellFormed().normalize('NFC').toLowerCase(), 0, LONGEST_PATH)}`;
}
