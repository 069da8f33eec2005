import { FIELDS } from '@claude-mem/analysis';
import type { DocumentRow } from '../search-tables.js';
import { createByteReader, createByteWriter } from './bytes.js';

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
export function* decodeDocumentRows(data: Uint8Array): Generator<DocumentRow, void> {
  const reader = createByteReader(data);
  while (!reader.isAtEnd) {
    const id = reader.number();
    const kind = reader.number();
    const recordId = reader.number();
    const projectId = reader.number();
    const sessionId = reader.number();
    const promptNumber = reader.number();
    const time = reader.number();
    const createdAtEpoch = time % 2 === 0 ? time / 2 : -(time + 1) / 2;
    const type = reader.text() || null;
    const lengths = reader.bytes(FIELDS.length);
    yield [id, kind, recordId, projectId, sessionId, promptNumber, createdAtEpoch, type, lengths];
  }
}
