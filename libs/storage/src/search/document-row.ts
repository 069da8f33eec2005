import { FIELDS } from '@claude-mem/analysis';
import type { DocumentRow } from '../search-tables.js';
import { createByteWriter, damaged } from './bytes.js';

/** Twice of it is still a safe whole number. */
const LATEST = 4e15;

/**
 * A document with all its columns in one value: the database hands over a thousand of them, one after the other, in the time
 * that a few rows of many columns take.
 */
export function encodeDocumentRow(row: DocumentRow): Uint8Array {
  const [id, kind, recordId, projectId, sessionId, promptNumber, createdAtEpoch, type, lengths] = row;
  const writer = createByteWriter(64);
  for (const value of [id, kind, recordId, projectId, sessionId, promptNumber])
    writer.number(Math.max(0, value));
  // Times before 1970 are odd numbers, later ones even.
  const time = Math.max(-LATEST, Math.min(createdAtEpoch, LATEST));
  writer.number(time < 0 ? -time * 2 - 1 : time * 2);
  writer.text(type ?? '');
  writer.bytes(lengths);
  return writer.finish();
}

/** @throws StorageError `storage/corrupt` */
export function decodeDocumentRows(data: Uint8Array): readonly DocumentRow[] {
  const { buffer, byteOffset, length } = data;
  const texts = createTextReader(data);
  const rows: DocumentRow[] = [];
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let factor = 1; factor <= Number.MAX_SAFE_INTEGER; factor *= 0x80) {
      const part = data[at++];
      if (part === undefined) break;
      value += (part & 0x7f) * factor;
      if (part < 0x80 && value <= Number.MAX_SAFE_INTEGER) return value;
    }
    throw damaged();
  };
  const take = (count: number): number => {
    if (count > length - at) throw damaged();
    at += count;
    return at - count;
  };
  while (at < length) {
    const id = number();
    const kind = number();
    const recordId = number();
    const projectId = number();
    const sessionId = number();
    const promptNumber = number();
    const time = number();
    const createdAtEpoch = time % 2 === 0 ? time / 2 : -(time + 1) / 2;
    const textLength = number();
    const type = texts(take(textLength), textLength) || null;
    const lengths = new Uint8Array(buffer, byteOffset + take(FIELDS.length), FIELDS.length);
    rows.push([id, kind, recordId, projectId, sessionId, promptNumber, createdAtEpoch, type, lengths]);
  }
  return rows;
}

const MOST_KNOWN = 16;

/** Texts of the data, of which few are different: the first ones that were read are not read again. */
function createTextReader(data: Uint8Array): (start: number, length: number) => string {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const known: { start: number; length: number; text: string }[] = [];
  const isSame = (one: number, other: number, length: number): boolean => {
    for (let place = 0; place < length; place += 1)
      if (bytes[one + place] !== bytes[other + place]) return false;
    return true;
  };
  return (start, length) => {
    for (const one of known) if (one.length === length && isSame(one.start, start, length)) return one.text;
    const text = bytes.toString('utf8', start, start + length);
    if (known.length < MOST_KNOWN) known.push({ start, length, text });
    return text;
  };
}
