import { wordsOf } from '@claude-mem/lexical-index/analysis';
import { openStorageReader } from '../open-storage-reader.js';
import type { RecordKind } from '@claude-mem/lexical-index';

/** Ids of the records in which all words of a text stand, the best first. */
export function findWords(
  place: { file: string },
  text: string,
  kind: RecordKind = 'observation',
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
