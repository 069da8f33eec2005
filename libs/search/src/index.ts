export { wordsToMark } from '@claude-mem/lexical-index/analysis';
export type { MatchedWord } from '@claude-mem/lexical-index';
export { intersectWithRanking } from './fusion/intersect-with-ranking.js';
export { openMemory, type OpenMemoryOptions } from './open-memory.js';
export type {
  ActivityRequest,
  DayActivity,
  Degradation,
  FacetCounts,
  FacetsRequest,
  FeedEntry,
  FeedFilter,
  FeedPage,
  FeedRequest,
  FoundSession,
  HitEvidence,
  Memory,
  MemoryStatus,
  RecentContext,
  ScorePart,
  SearchAnswer,
  SearchFilter,
  SearchHit,
  SearchRequest,
  SearchStrategy,
  Timeline,
  TimelineEntry,
  TimelineRequest,
} from './memory.js';
export type { Embedder } from './ports/embedder.js';
export type {
  VectorDocument,
  VectorFilter,
  VectorHit,
  VectorIndex,
  VectorMetadata,
} from './ports/vector-index.js';
export {
  CONVERSATION_STRENGTH,
  rankConversations,
  type RankedConversation,
} from './recall/rank-conversations.js';
export { recallBranch, type BranchRecallRequest } from './recall/recall-branch.js';
export { recall, type Recalled, type RecallRequest } from './recall/recall.js';
export { SearchError, type SearchErrorCode } from './search-error.js';
