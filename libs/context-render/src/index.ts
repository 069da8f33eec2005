export {
  CONTEXT_MATERIAL,
  renderSessionContext,
  type ContextPart,
  type SessionContext,
  type SessionContextOptions,
} from './render-session-context.js';
export { FILE_HISTORY_TOKENS, renderFileHistory, type FileHistoryOptions } from './render-file-history.js';
export { KNOWN_FIX_TOKENS, renderKnownFix } from './render-known-fix.js';
export {
  renderFolderBlock,
  renderProjectBlock,
  type FolderBlockOptions,
  type ProjectBlockOptions,
} from './render-context-block.js';
export { listOpenSummaries } from './list-open-summaries.js';
export { countRecordTokens, formatInjectedText } from './index-line.js';
export {
  RECALL_TOKENS,
  renderRecall,
  STATEMENT_TOKENS,
  type ConversationStatements,
  type RecallContext,
  type RecallOptions,
} from './render-recall.js';
export type { AlreadyProvided } from './remove-provided.js';
export { NO_ROOM, type SkippedRecord } from './rank-observations.js';
export type { TypeEmojis } from './type-emojis.js';
