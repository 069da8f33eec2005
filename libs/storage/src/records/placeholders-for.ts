import { sql, type Placeholder } from 'drizzle-orm';

/** The placeholders of an insert that is prepared once, named after the columns. */
export function placeholdersFor<Name extends string>(
  names: readonly Name[],
): { [Column in Name]: Placeholder<Column> } {
  return Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as {
    [Column in Name]: Placeholder<Column>;
  };
}
