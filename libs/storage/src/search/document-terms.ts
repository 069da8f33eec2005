import { createByteReader, createByteWriter } from './bytes.js';
import { readFieldCounts, writeFieldCounts } from './postings.js';

export interface DocumentTerm {
  term: string;
  /** How often in each field, in the order of FIELDS; more than 255 count as 255. */
  counts: Uint8Array;
}

/** The terms of a document that is not in the postings yet. */
export function encodeDocumentTerms(terms: ReadonlyMap<string, readonly number[]>): Uint8Array {
  const writer = createByteWriter(1_024);
  for (const [term, counts] of terms) {
    writer.text(term);
    writeFieldCounts(writer, counts);
  }
  return writer.finish();
}

/** @throws StorageError `storage/corrupt` */
export function decodeDocumentTerms(data: Uint8Array): readonly DocumentTerm[] {
  const reader = createByteReader(data);
  const terms: DocumentTerm[] = [];
  while (!reader.isAtEnd) terms.push({ term: reader.text(), counts: readFieldCounts(reader) });
  return terms;
}
