export type { PastRecord, PastSession } from './past-record.js';
export {
  renderSearch,
  type SearchRendering,
  type SearchRenderOptions,
  type SearchRow,
} from './render-search.js';
export { renderTimeline, type TimelineRenderOptions } from './render-timeline.js';
export { renderRecords, type RecordsRenderOptions } from './render-records.js';
export { renderSessionSummary, type SessionSummaryRenderOptions } from './render-session-summary.js';
export { MORE_OVER_MCP, formatNotes, formatProjectName, formatSentence } from './sentences.js';
