import { sql, type Placeholder } from 'drizzle-orm';

/** The values of an insert that is prepared once: each column takes what is given under its own name. */
export function placeholdersFor<Name extends string>(
  names: readonly Name[],
): { [Column in Name]: Placeholder<Column> } {
  return Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as {
    [Column in Name]: Placeholder<Column>;
  };
}
