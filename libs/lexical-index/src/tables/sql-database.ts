/** The part of a better-sqlite3 connection that the index uses. */
export interface SqlDatabase {
  readonly open: boolean;
  readonly inTransaction: boolean;
  prepare(sql: string): SqlStatement;
  exec(sql: string): unknown;
  transaction<Parameters extends unknown[], Value>(
    work: (...parameters: Parameters) => Value,
  ): { immediate(...parameters: Parameters): Value };
}

export interface SqlStatement {
  run(...parameters: unknown[]): { changes: number };
  get(...parameters: unknown[]): unknown;
  all(...parameters: unknown[]): unknown[];
  iterate(...parameters: unknown[]): Iterable<unknown>;
  /** Returns the first column of each row instead of an object. */
  pluck(): SqlStatement;
  /** Returns each row as an array instead of an object. */
  raw(): SqlStatement;
}
