import { FIELDS } from '../analysis/analyze-record.js';
import { NUMBER_BYTES, readNumber, skipBytes, writeNumber } from './bytes.js';

/**
 * id, kind, record id, project id, session id, prompt number, created at, type, lengths (one byte per field, see
 * `lengthOfByte`; a view of shared memory).
 */
export type DocumentRow = readonly [
  id: number,
  kind: number,
  recordId: number,
  projectId: number,
  sessionId: number,
  promptNumber: number,
  createdAtEpoch: number,
  type: string | null,
  lengths: Uint8Array,
];

/** Twice this number is still a safe integer. */
const LATEST = 4e15;
const NUMBERS = 8;

/**
 * A document with all its columns in one value, because the database returns a thousand of them in the time of a few
 * rows with many columns.
 */
export function encodeDocumentRow(row: DocumentRow): Uint8Array {
  const [id, kind, recordId, projectId, sessionId, promptNumber, createdAtEpoch, type, lengths] = row;
  const text = Buffer.from(type ?? '');
  const data = Buffer.allocUnsafe(NUMBERS * NUMBER_BYTES + text.length + lengths.length);
  let at = 0;
  for (const value of [id, kind, recordId, projectId, sessionId, promptNumber])
    at = writeNumber(data, at, Math.max(0, value));
  // Times before 1970 are odd numbers, later ones even.
  const time = Math.max(-LATEST, Math.min(createdAtEpoch, LATEST));
  at = writeNumber(data, at, time < 0 ? -time * 2 - 1 : time * 2);
  at = writeNumber(data, at, text.length);
  data.set(text, at);
  data.set(lengths, at + text.length);
  return data.subarray(0, at + text.length + lengths.length);
}

/** @throws ClaudeMemError `storage/corrupt` */
export function decodeDocumentRows(data: Uint8Array): readonly DocumentRow[] {
  const { buffer, byteOffset, length } = data;
  const texts = createTextReader(data);
  const rows: DocumentRow[] = [];
  const cursor = { at: 0 };
  const number = () => readNumber(data, cursor);
  const skip = (count: number) => skipBytes(data, cursor, count);
  while (cursor.at < length) {
    const id = number();
    const kind = number();
    const recordId = number();
    const projectId = number();
    const sessionId = number();
    const promptNumber = number();
    const time = number();
    const createdAtEpoch = time % 2 === 0 ? time / 2 : -(time + 1) / 2;
    const textLength = number();
    const type = texts(skip(textLength), textLength) || null;
    const lengths = new Uint8Array(buffer, byteOffset + skip(FIELDS.length), FIELDS.length);
    rows.push([id, kind, recordId, projectId, sessionId, promptNumber, createdAtEpoch, type, lengths]);
  }
  return rows;
}

const MOST_KNOWN = 16;

/** Caches decoded texts, because few of them differ. */
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
