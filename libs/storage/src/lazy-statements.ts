import type { Database, Statement } from './database/driver.js';

/**
 * Returns the connection with a `prepare` that compiles a statement when it is first used. A store has more than 200
 * statements. Compiling all of them takes longer than the rest of opening a database.
 */
export function withLazyStatements(database: Database): Database {
  const prepare = (sql: string) => lazyStatement(() => database.prepare(sql));
  return Object.create(database, { prepare: { value: prepare } }) as Database;
}

function lazyStatement(compile: () => Statement): Statement {
  let statement: Statement | undefined;
  return new Proxy({} as Statement, {
    get(_, name) {
      if (name === 'pluck' && !statement) return () => lazyStatement(() => compile().pluck());
      statement ??= compile();
      const value: unknown = Reflect.get(statement, name);
      return typeof value === 'function' ? (value as () => unknown).bind(statement) : value;
    },
  });
}
