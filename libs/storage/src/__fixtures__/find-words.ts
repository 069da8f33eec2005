import { wordsOf } from '@claude-mem/analysis';
import { openStorageReader } from '../open-storage-reader.js';
import type { KIND_NUMBERS } from '../search-tables.js';

/** Ids of the records in which all words of a text stand, the best first. */
export function findWords(
  place: { file: string },
  text: string,
  kind: keyof typeof KIND_NUMBERS = 'observation',
): readonly number[] {
  const reader = openStorageReader(place);
  try {
    const words = wordsOf(text).map((word) => `"${word.replaceAll('"', '""')}"`);
    const found = reader.searchTables.matchSyntax(kind, words.join(' AND '), 1_000);
    if (!found) throw new Error(`no expression: ${words.join(' AND ')}`);
    return found.map(({ recordId }) => recordId);
  } finally {
    void reader.close();
  }
}
