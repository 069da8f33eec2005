import { sql, type SQL } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';

/** SQL condition for a statement with any number of ids. The parameter `ids` is a JSON list. */
export function idsIn(column: AnySQLiteColumn): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${sql.placeholder('ids')}))`;
}

/** Returns values in the order of their ids. */
export function byIds<Value extends { id: number }>(
  ids: readonly number[],
  find: (list: string) => readonly Value[],
): readonly Value[] {
  if (ids.length === 0) return [];
  const found = new Map(find(JSON.stringify(ids)).map((value) => [value.id, value]));
  return [...new Set(ids)].flatMap((id) => found.get(id) ?? []);
}
