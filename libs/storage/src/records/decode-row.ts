import { messageOf, type Logger } from '@claude-mem/core';
import { StorageError } from '../storage-error.js';

/** A kind of stored record: its table and the conversion of a row. `decode` throws for invalid rows. */
export interface RowDecoder<Row extends { id: number }, Value> {
  table: string;
  decode(row: Row): Value;
}

/** @throws StorageError `storage/corrupt-row` with table and id */
export function decodeRow<Row extends { id: number }, Value>(
  decoder: RowDecoder<Row, Value>,
  row: Row,
): Value {
  try {
    return decoder.decode(row);
  } catch (error) {
    throw new StorageError(
      'storage/corrupt-row',
      `${decoder.table} #${row.id} cannot be read: ${messageOf(error)}`,
      { cause: error, data: { table: decoder.table, id: row.id } },
    );
  }
}

/** Decodes a list. A row that cannot be read is reported and skipped, so that it does not hide the others. */
export function decodeRows<Row extends { id: number }, Value>(
  decoder: RowDecoder<Row, Value>,
  rows: readonly Row[],
  logger: Logger,
): readonly Value[] {
  const values: Value[] = [];
  for (const row of rows) {
    try {
      values.push(decodeRow(decoder, row));
    } catch (error) {
      if (!StorageError.isInstance(error)) throw error;
      logger.warn({ code: error.code, ...error.data }, error.message);
    }
  }
  return values;
}

/** Parses a JSON list of texts, or throws an error that names the column. */
export function readTextList(json: unknown, column: string): readonly string[] {
  const value = readJson(json, column);
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    throw new TypeError(`${column} is not a list of texts`);
  return value;
}

export function readJson(json: unknown, column: string): unknown {
  try {
    return JSON.parse(String(json));
  } catch (error) {
    throw new TypeError(`${column} is not JSON`, { cause: error });
  }
}

/** Returns the value if it is allowed. */
export function readOneOf<Allowed extends string>(
  value: unknown,
  allowed: readonly Allowed[],
  column: string,
): Allowed {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw new TypeError(`${column} has an unknown value`);
  return found;
}
