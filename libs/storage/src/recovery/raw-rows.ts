import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { Pace } from './pace.js';
import { pause } from './pace.js';

/** A value as SQLite stores it. */
type RawValue = null | bigint | number | string | Uint8Array;

export interface RawRow {
  /** Null in a table without rowids. */
  rowid: bigint | null;
  /** In the order of the columns; later ones may be missing, which have their defaults. */
  values: readonly RawValue[];
}

const DEFAULT_PAGE_BYTES = 4_096;
/** Where SQLite keeps its locks; the page there holds nothing. */
const LOCK_BYTE = 0x40000000;
const ROOT = 1;
const TREE = 5;
const TABLE_LEAF = 0x0d;
const INDEX_LEAF = 0x0a;
const INDEX_NODE = 0x02;
const PAGES_BETWEEN_PAUSES = 256;

/**
 * Rows of the pages of a table, read past the tree that leads to them: one damaged page above them hides many that are good. The map of
 * pages, which a database that gives space back has, says which tree a page belongs to. See https://www.sqlite.org/fileformat2.html
 */
export async function* rawRows(
  file: string,
  roots: ReadonlySet<number>,
  pace: Pace,
): AsyncGenerator<{ root: number; row: RawRow }> {
  const pages = openPages(file);
  try {
    const owners = pages.ownersOf();
    for (let number = 2; number <= pages.count; number += 1) {
      const root = owners(number);
      if (root === null || !roots.has(root)) continue;
      const page = pages.read(number);
      if (page === null) continue;
      for (const row of rowsOf(page, pages)) yield { root, row };
      if (number % PAGES_BETWEEN_PAUSES === 0) await pause(pace);
    }
  } finally {
    pages.close();
  }
}

interface Pages {
  count: number;
  usable: number;
  read(number: number): Buffer | null;
  ownersOf(): (number: number) => number | null;
  close(): void;
}

function openPages(file: string): Pages {
  const descriptor = openSync(file, 'r');
  const header = Buffer.alloc(100);
  readSync(descriptor, header, 0, 100, 0);
  const isWhole = header.toString('latin1', 0, 16) === 'SQLite format 3\0';
  const stated = isWhole ? header.readUInt16BE(16) : DEFAULT_PAGE_BYTES;
  const size = stated === 1 ? 65_536 : stated >= 512 ? stated : DEFAULT_PAGE_BYTES;
  const usable = size - (isWhole ? header.readUInt8(20) : 0);
  const count = Math.floor(statSync(file).size / size);
  const read = (number: number): Buffer | null => {
    if (number < 1 || number > count) return null;
    const page = Buffer.alloc(size);
    return readSync(descriptor, page, 0, size, (number - 1) * size) === size ? page : null;
  };

  const ownersOf = () => {
    const entries = Math.floor(usable / 5);
    const lockPage = LOCK_BYTE / size + 1;
    let mapNumber = 0;
    let map: Buffer | null = null;
    const entryOf = (number: number): readonly [kind: number, parent: number] | null => {
      let at = Math.floor((number - 2) / (entries + 1)) * (entries + 1) + 2;
      if (at === lockPage) at += 1;
      if (number <= at) return null;
      if (at !== mapNumber) {
        mapNumber = at;
        map = read(at);
      }
      const offset = 5 * (number - at - 1);
      return map === null ? null : [map.readUInt8(offset), map.readUInt32BE(offset + 1)];
    };
    const known = new Map<number, number | null>();
    return (number: number): number | null => {
      const path: number[] = [];
      let owner: number | null = null;
      for (let at = number; path.length < 32;) {
        const found = known.get(at);
        if (found !== undefined) {
          owner = found;
          break;
        }
        const entry = at < 2 || at > count ? null : entryOf(at);
        if (entry === null) break;
        path.push(at);
        if (entry[0] === ROOT) owner = at;
        if (entry[0] !== TREE) break;
        at = entry[1];
      }
      for (const one of path) known.set(one, owner);
      return owner;
    };
  };
  return { count, usable, read, ownersOf, close: () => closeSync(descriptor) };
}

function* rowsOf(page: Buffer, pages: Pages): Generator<RawRow> {
  const kind = page.readUInt8(0);
  if (kind !== TABLE_LEAF && kind !== INDEX_LEAF && kind !== INDEX_NODE) return;
  const cells = page.readUInt16BE(3);
  const pointers = kind === INDEX_NODE ? 12 : 8;
  if (pointers + 2 * cells > pages.usable) return;
  for (let index = 0; index < cells; index += 1) {
    const row = attempt(() => readCell(page, page.readUInt16BE(pointers + 2 * index), kind, pages));
    if (row !== null) yield row;
  }
}

/** Null when it reads beyond what is there or is no text. */
function attempt<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return null;
    throw error;
  }
}

function readCell(page: Buffer, start: number, kind: number, pages: Pages): RawRow | null {
  let at = start + (kind === INDEX_NODE ? 4 : 0);
  const [length, afterLength] = readVarint(page, at);
  at = afterLength;
  let rowid: bigint | null = null;
  if (kind === TABLE_LEAF) [rowid, at] = readVarint(page, at);
  const payload = readPayload(page, at, Number(length), kind, pages);
  const values = payload && readRecord(payload);
  return values === null ? null : { rowid, values };
}

function readPayload(page: Buffer, at: number, length: number, kind: number, pages: Pages): Buffer | null {
  const { usable } = pages;
  const most = kind === TABLE_LEAF ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (length > pages.count * usable) return null;
  if (length <= most) return at + length > usable ? null : page.subarray(at, at + length);
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const spread = least + ((length - least) % (usable - 4));
  const local = spread <= most ? spread : least;
  const pieces = [page.subarray(at, at + local)];
  let next = page.readUInt32BE(at + local);
  for (let left = length - local; left > 0; left -= usable - 4) {
    const more = pages.read(next);
    if (more === null) return null;
    pieces.push(more.subarray(4, 4 + Math.min(left, usable - 4)));
    next = more.readUInt32BE(0);
  }
  return Buffer.concat(pieces);
}

function readRecord(payload: Buffer): readonly RawValue[] | null {
  const [headerBytes, first] = readVarint(payload, 0);
  const values: RawValue[] = [];
  let data = Number(headerBytes);
  for (let at = first; at < Number(headerBytes);) {
    const [type, after] = readVarint(payload, at);
    at = after;
    const [value, end] = readValue(payload, data, Number(type));
    data = end;
    values.push(value);
  }
  return data === payload.length ? values : null;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8];

function readValue(payload: Buffer, at: number, type: number): readonly [RawValue, number] {
  if (type === 0) return [null, at];
  if (type === 8 || type === 9) return [BigInt(type - 8), at];
  if (type === 7) return [payload.readDoubleBE(at), at + 8];
  if (type === 6) return [payload.readBigInt64BE(at), at + 8];
  const bytes = INTEGER_BYTES[type];
  if (bytes !== undefined) return [BigInt(payload.readIntBE(at, bytes)), at + bytes];
  if (type < 12) throw new RangeError('no such type');
  const end = at + Math.floor((type - 12) / 2);
  if (end > payload.length) throw new RangeError('too long');
  const content = payload.subarray(at, end);
  return [type % 2 === 1 ? utf8.decode(content) : content, end];
}

function readVarint(bytes: Buffer, start: number): readonly [bigint, number] {
  let value = 0n;
  for (let index = 0; index < 8; index += 1) {
    const byte = bytes.readUInt8(start + index);
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80) return [value, start + index + 1];
  }
  value = (value << 8n) | BigInt(bytes.readUInt8(start + 8));
  return [BigInt.asIntN(64, value), start + 9];
}
