export { grownTo } from './growing-array.js';
export { bitsIn } from './bits-in.js';
export { inSlices } from './in-slices.js';
export type { DocumentSet } from './documents/document-set.js';
export type { DocumentTable } from './documents/document-table.js';
export { RECORD_KINDS, type IndexState, type RecordFilter, type RecordKind } from './documents/record.js';
export { createSessionHosts, NO_HOST, type SessionHosts } from './documents/session-hosts.js';
export { NONE } from './documents/session-order.js';
export { createTopSlots } from './documents/top-slots.js';
export {
  openLexicalIndex,
  type LexicalIndex,
  type LexicalIndexOptions,
  type LexicalReader,
} from './scoring/lexical-index.js';
export { FIELD_WEIGHTS, LENGTH_NORMALIZATION } from './scoring/lexical-weights.js';
export type { FoundSlots, MatchedWord, TermScores } from './scoring/score-terms.js';
export type { AddRecords, RecordToIndex } from './tables/add-records.js';
export { decodeDocumentTerms } from './tables/document-terms.js';
export { mergeFullText } from './tables/full-text.js';
export { isFullTextDamage } from './tables/index-damage.js';
export { createIndexReader, type IndexTables } from './tables/index-reader.js';
export type { IndexUpkeep } from './tables/index-upkeep.js';
export { createIndexWriter, type IndexWriter } from './tables/index-writer.js';
export { decodePostings } from './tables/postings.js';
export { rebuildIndex, repairDocuments } from './tables/rebuild-index.js';
export type { SqlDatabase, SqlStatement } from './tables/sql-database.js';
export type { ReadRecords, TakePending } from './tables/take-pending.js';
