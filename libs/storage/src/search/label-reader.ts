import type { Database } from '../database/driver.js';
import type { SearchTables } from './search-tables.js';

type Columns = readonly [ids: string, ...lists: [string, string, string]];
type Row = readonly [id: number, ...lists: [string, string, string]];

/** Reads the labels of many records. */
export function createLabelReader(database: Database): SearchTables['labelsOf'] {
  const prepare = (columns: readonly [string, string, string], table: string) => {
    const rows = `SELECT id, ${columns.join(', ')} FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`;
    const joined = columns.map((column) => `'[' || group_concat(${column}, ',') || ']'`);
    return {
      // One row for many values, because separate rows and lists cost several times as much.
      together: database.prepare(`SELECT json_group_array(id), ${joined.join(', ')} FROM (${rows})`).raw(),
      each: database.prepare(rows).raw(),
    };
  };
  const statements = {
    observation: prepare(['concepts', 'files_modified', 'files_read'], 'observations'),
    summary: prepare(["'[]'", 'files_edited', 'files_read'], 'session_summaries'),
  };

  return (kind, ids) => {
    const { together, each } = statements[kind];
    const wanted = JSON.stringify(ids);
    const read = readTogether(together.get(wanted) as Columns) ?? (each.all(wanted) as Row[]).map(readRow);
    return read.map(([id, concepts, first, second]) => ({
      id,
      concepts: textsIn(concepts),
      files: [...textsIn(first), ...textsIn(second)],
    }));
  };
}

type Labels = readonly [id: number, concepts: unknown, first: unknown, second: unknown];

/** Null when a list cannot be read. */
function readTogether([ids, ...lists]: Columns): readonly Labels[] | null {
  const numbers = JSON.parse(ids) as number[];
  if (numbers.length === 0) return [];
  const [concepts, first, second] = lists.map((list) => readJson(list));
  const isComplete = (list: unknown): list is unknown[] =>
    Array.isArray(list) && list.length === numbers.length;
  if (!isComplete(concepts) || !isComplete(first) || !isComplete(second)) return null;
  return numbers.map((id, place) => [id, concepts[place], first[place], second[place]]);
}

function readRow([id, concepts, first, second]: Row): Labels {
  return [id, readJson(concepts), readJson(first), readJson(second)];
}

/** Unreadable data is reported where the record itself is read. */
function readJson(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return null;
  }
}

function textsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}
