import type { Database } from '../database/driver.js';
import type { SearchTables } from '../search-tables.js';

type Row = [id: number, concepts: string, first: string, second: string];

/** Reads the labels of many records. */
export function createLabelReader(database: Database): SearchTables['labelsOf'] {
  const prepare = (concepts: string, files: [string, string], table: string) =>
    database
      .prepare(
        `SELECT id, ${concepts}, ${files.join(', ')} FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
      )
      .raw();
  const statements = {
    observation: prepare('concepts', ['files_modified', 'files_read'], 'observations'),
    summary: prepare("'[]'", ['files_edited', 'files_read'], 'session_summaries'),
  };
  return (kind, ids) =>
    (statements[kind].all(JSON.stringify(ids)) as Row[]).map(([id, concepts, first, second]) => ({
      id,
      concepts: textsIn(concepts),
      files: [...textsIn(first), ...textsIn(second)],
    }));
}

/** What cannot be read is reported where the record itself is. */
function textsIn(json: string): readonly string[] {
  if (json === '[]') return [];
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}
