import type { Database, Statement } from '../database/driver.js';
import { isUnreadable } from '../storage-error.js';
import type { CanonicalTable } from './canonical-tables.js';
import { columnsOf, commonColumns } from './columns-of.js';
import { pause, type Pace } from './pace.js';
import { unlessUnreadable } from './unless-unreadable.js';

/** Range of keys, both inclusive, in which rows could not be read. */
export interface Gap {
  from: bigint;
  to: bigint;
}

export interface Copied {
  gaps: readonly Gap[];
  /** Number of rows outside the gaps that could not be stored, or only after a repair. */
  incomplete: number;
}

const FIRST = -(2n ** 63n);
const LAST = 2n ** 63n - 1n;
export const EVERYTHING: readonly Gap[] = [{ from: FIRST, to: LAST }];

/** Maximum number of rows per transaction. */
const ROWS_PER_TRANSACTION = 500;
/**
 * Maximum number of failed reads. The remaining ranges are then skipped, because a damaged table may contain any
 * keys.
 */
const MAX_FAILURES = 20_000;

export type Row = Record<string, unknown>;

/**
 * Copies all readable rows of a table. Reads from both ends up to the damaged pages, then splits the range between
 * them.
 */
export async function copyRows(options: {
  source: Database;
  target: Database;
  table: CanonicalTable;
  /** Upper limit of the keys, used when the end of the table cannot be read. */
  lastKey: bigint;
  pace: Pace;
}): Promise<Copied> {
  const { source, target, table, lastKey, pace } = options;
  const columns = commonColumns(
    columnsOf(target, table.name),
    unlessUnreadable(() => columnsOf(source, table.name)) ?? [],
  );
  if (columns.length === 0) return { gaps: EVERYTHING, incomplete: 0 };
  const write = createRowWriter(target, table, columns);
  const key = table.key ?? 'NULL';
  const range = table.key === null ? '? IS NOT ?' : `${table.key} BETWEEN ? AND ?`;
  const order = (direction: string) => table.primaryKey.map((column) => `${column} ${direction}`).join(', ');
  const select = (direction: string) =>
    `SELECT ${key} AS "*", ${columns.join(', ')} FROM ${table.name} WHERE ${range} ORDER BY ${order(direction)}`;
  const reads: { ASC?: Statement; DESC?: Statement } = {};
  const gaps: Gap[] = [];
  let failures = 0;
  let incomplete = 0;

  /** Copies rows until one cannot be read. Returns the last key and whether the end was reached. */
  const walk = async (direction: 'ASC' | 'DESC', from: bigint, to: bigint) => {
    let last: bigint | null = null;
    let isDisordered = false;
    let count = 0;
    write.begin();
    try {
      const read = (reads[direction] ??= source.prepare(select(direction)).safeIntegers());
      const rows = read.iterate(from, to) as Iterable<Row>;
      for (const row of rows) {
        if (table.key !== null) {
          const at = row['*'] as bigint;
          // A damaged tree can lead to rows outside of the range or in another order. Continuing after the key of such a
          // row would skip rows, or read the same range endlessly.
          isDisordered ||= at < from || at > to || !follows(at, last, direction);
          if (isDisordered) failures += 1;
          else last = at;
        }
        const written = write.row(row);
        if (!isDisordered) {
          if (written === 'rejected' && table.isUnique && last !== null) gaps.push({ from: last, to: last });
          else if (written !== 'unchanged') incomplete += 1;
        }
        count += 1;
        if (count % ROWS_PER_TRANSACTION > 0) continue;
        write.end();
        await pause(pace);
        write.begin();
      }
      return { last, isDone: !isDisordered };
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      failures += 1;
      return { last, isDone: false };
    } finally {
      write.end();
    }
  };

  /** A damaged page returns keys in any order. Ids begin with 1; zeroed cells have the id 0. */
  const follows = (at: bigint, last: bigint | null, direction: 'ASC' | 'DESC'): boolean => {
    if (!table.isUnique) return last === null || (direction === 'ASC' ? at >= last : at <= last);
    return at > 0n && (last === null || (direction === 'ASC' ? at > last : at < last));
  };

  const zones: Gap[] = [{ from: FIRST, to: LAST }];
  // widest first, so that the limit skips the smallest ranges
  for (let zone = zones.shift(); zone !== undefined; zone = zones.shift()) {
    await pause(pace);
    const up = await walk('ASC', zone.from, zone.to);
    if (up.isDone) continue;
    if (table.key === null) {
      const down = await walk('DESC', zone.from, zone.to);
      return { gaps: down.isDone ? [] : EVERYTHING, incomplete };
    }
    const rest = up.last === null ? zone.from : table.isUnique ? up.last + 1n : up.last;
    if (rest > zone.to) continue;
    // Its end does not prove that all rows were read, because a wrong key ends the search for the range.
    const down = await walk('DESC', rest, zone.to);
    if (!table.isUnique)
      for (const key of [up.last, down.last]) if (key !== null) gaps.push({ from: key, to: key });
    const from = up.last === null ? (zone.from === FIRST ? 0n : zone.from) : up.last + 1n;
    const to = down.last === null ? (zone.to === LAST ? larger(lastKey, from) : zone.to) : down.last - 1n;
    if (from > to) continue;
    gaps.push({ from, to });
    if (from === to || failures > MAX_FAILURES) continue;
    const middle = (from + to) / 2n;
    zones.push({ from, to: middle }, { from: middle + 1n, to });
  }
  return { gaps: joined(gaps), incomplete };
}

const larger = (a: bigint, b: bigint) => (a > b ? a : b);

/** Creates a writer that adds rows within transactions. Replaces invalid JSON lists by empty lists. */
export function createRowWriter(
  target: Database,
  { name, isUnique }: CanonicalTable,
  columns: readonly string[],
) {
  const insert = (values: readonly string[]) =>
    target.prepare(
      `INSERT ${isUnique ? '' : 'OR IGNORE '}INTO ${name} (${columns.join(', ')}) VALUES (${values.join(', ')})`,
    );
  const insertUnchanged = insert(columns.map((column) => `@${column}`));
  const isList = (column: string) => LISTS.has(column);
  const insertRepaired = columns.some(isList)
    ? insert(
        columns.map((column) =>
          isList(column) ? `CASE WHEN json_valid(@${column}) THEN @${column} ELSE '[]' END` : `@${column}`,
        ),
      )
    : null;
  return {
    begin: () => void target.exec('BEGIN'),
    end: () => void (target.inTransaction && target.exec('COMMIT')),
    row(row: Row): 'unchanged' | 'repaired' | 'rejected' {
      if (tryInsert(insertUnchanged, row)) return 'unchanged';
      return insertRepaired !== null && tryInsert(insertRepaired, row) ? 'repaired' : 'rejected';
    },
  };
}

function tryInsert(statement: Statement, row: Row): boolean {
  try {
    statement.run(row);
    return true;
  } catch (error) {
    if (/^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/.test(String((error as NodeJS.ErrnoException).code)))
      return false;
    throw error;
  }
}

const LISTS = new Set(['facts', 'concepts', 'files_read', 'files_modified', 'files_edited']);

function joined(gaps: readonly Gap[]): readonly Gap[] {
  const sorted = [...gaps].sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  const result: Gap[] = [];
  for (const gap of sorted) {
    const last = result.at(-1);
    if (last && gap.from <= last.to + 1n) last.to = gap.to > last.to ? gap.to : last.to;
    else result.push({ ...gap });
  }
  return result;
}
